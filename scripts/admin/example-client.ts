import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { renderOperations } from '../../examples/admin-client/render.ts'
import type { GeneratedFile } from '../configuration/files.ts'
import { schemaFile } from './schema-file.ts'

const example = 'examples/admin-client'

/** The typed operations of the example of a client, which follow `schema.graphql`. */
export async function exampleClientFile(): Promise<GeneratedFile> {
  const operations = join(import.meta.dirname, '../..', example, 'operations.graphql')
  const text = await renderOperations(schemaFile().text, readFileSync(operations, 'utf8'))
  return { path: `${example}/operations.generated.ts`, text }
}
