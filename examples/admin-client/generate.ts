import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { renderOperations } from './render.ts'

// `npm run generate`: writes `operations.generated.ts` from the schema of the package.
const here = (name: string) => new URL(name, import.meta.url)
const schema = await readFile(fileURLToPath(import.meta.resolve('dragoman/schema.graphql')), 'utf8')
const documents = await readFile(here('operations.graphql'), 'utf8')
await writeFile(here('operations.generated.ts'), await renderOperations(schema, documents))
