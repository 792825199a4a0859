import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { replaceGenerated } from '../docs/generated.ts'
import { openPage, repository } from '../docs/pages.ts'
import { observe } from './cell.ts'
import { cells, nameOf } from './cells.ts'
import type { Outcome } from './outcome.ts'
import { matrixPage, matrixRegion, renderMatrix } from './table.ts'

// `npm run matrix`: has the SDKs talk through every cell and writes what became of it.
const observed = new Map<string, Outcome>()
for (const cell of cells) {
  const name = nameOf(cell)
  observed.set(
    name,
    await observe(cell).catch((error: unknown) => {
      throw new Error(`${name} does not work.`, { cause: error })
    }),
  )
}
const { path, text } = openPage(matrixPage)
const page = replaceGenerated(text, matrixRegion, renderMatrix(observed))
writeFileSync(join(repository, path), page)
console.log(`${path} shows ${observed.size} cells.`)
