import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { schemaFile } from '../../scripts/admin/schema-file.ts'

test('schema.graphql is the schema that the gateway serves; `npm run generate` writes it', () => {
  const { path, text } = schemaFile()
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text)
})
