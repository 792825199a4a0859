import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { observe } from './cell.ts'
import { cells, nameOf } from './cells.ts'
import type { Outcome } from './outcome.ts'
import { renderMatrix, showIn } from './table.ts'

// `npm run matrix`: has the SDKs talk through every cell and writes what became of it.
const path = join(import.meta.dirname, '../../README.md')
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
writeFileSync(path, showIn(readFileSync(path, 'utf8'), renderMatrix(observed)))
console.log(`The README shows ${observed.size} cells.`)
