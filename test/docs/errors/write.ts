import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { replaceGenerated } from '../generated.ts'
import { openPage, repository } from '../pages.ts'
import { errorsRegion, renderErrors } from './table.ts'

// `node test/docs/errors/write.ts`: writes the table of errors into the page for clients.
const { path, text } = openPage('docs/clients.md')
writeFileSync(join(repository, path), replaceGenerated(text, errorsRegion, renderErrors()))
