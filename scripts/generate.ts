import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { generatedFiles } from './configuration/files.ts'

// `npm run generate`: writes the files that are generated from the schema of the configuration.
for (const { path, text } of generatedFiles()) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(`${path} is up to date.`)
}
