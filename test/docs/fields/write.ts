import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { replaceGenerated } from '../generated.ts'
import { openPage, repository } from '../pages.ts'
import { fieldsPage, fieldsRegion, renderFields } from './table.ts'

// `node test/docs/fields/write.ts`: writes the tables of fields into their page.
const { path, text } = openPage(fieldsPage)
writeFileSync(join(repository, path), replaceGenerated(text, fieldsRegion, renderFields()))
