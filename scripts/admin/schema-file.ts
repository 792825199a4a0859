import { lexicographicSortSchema, printSchema } from 'graphql'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import type { GeneratedFile } from '../configuration/files.ts'

/** The schema of the admin API, for clients and reviews. Sorted, so that additions change few lines. */
export function schemaFile(): GeneratedFile {
  const text = printSchema(lexicographicSortSchema(createAdminSchema()))
  return { path: 'schema.graphql', text: `${text}\n` }
}
