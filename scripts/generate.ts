import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { schemaFile } from './admin/schema-file.ts'
import { generatedFiles } from './configuration/files.ts'

// `npm run generate`: writes the files that are generated from the schema of the configuration, and the
// schema of the admin API.
for (const { path, text } of [...generatedFiles(), schemaFile()]) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(`${path} is up to date.`)
}
