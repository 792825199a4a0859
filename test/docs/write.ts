import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { replaceGenerated } from './generated.ts'
import { openPage, repository } from './pages.ts'
import { tables } from './tables.ts'

// `node test/docs/write.ts`: writes the tables that the pages have of the sources.
for (const { page, region, render } of tables) {
  const written = replaceGenerated(openPage(page).text, region, await render())
  writeFileSync(join(repository, page), written)
}
