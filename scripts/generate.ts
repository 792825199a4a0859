import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { exampleClientFile } from './admin/example-client.ts'
import { schemaFile } from './admin/schema-file.ts'
import { generatedFiles } from './configuration/files.ts'

// `npm run generate`: writes the files that are generated from the schema of the configuration, the
// schema of the admin API, and the typed operations of the example of a client.
for (const { path, text } of [...generatedFiles(), schemaFile(), await exampleClientFile()]) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(`${path} is up to date.`)
}
