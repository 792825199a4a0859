import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { exampleClientFile } from './admin/example-client.ts'
import { schemaFile } from './admin/schema-file.ts'
import { generatedFiles } from './configuration/files.ts'
import { consoleFiles } from './console/files.ts'
import { pricesFile } from './prices/published-prices.ts'
import { dashboardFile } from './dashboard/dashboard.ts'
import { sdkMethodsFile } from './sdk-methods/page.ts'

// `npm run generate`: writes the files that are generated from the schema of the configuration, the
// schema of the admin API, the typed operations of the example of a client and of the console, the dashboard, and the
// methods of SDKs.
const files = [
  ...generatedFiles(),
  schemaFile(),
  await exampleClientFile(),
  ...(await consoleFiles()),
  dashboardFile(),
  pricesFile(),
  sdkMethodsFile(),
]
for (const { path, text } of files) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(`${path} is up to date.`)
}
