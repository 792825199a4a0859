import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { isEnumType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { schemaFile } from '../../scripts/admin/schema-file.ts'

test('schema.graphql is the schema that the gateway serves; `npm run generate` writes it', () => {
  const { path, text } = schemaFile()
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text)
})

test('the values of all enums are in upper case, and each word of a closed list is of an enum', () => {
  const schema = createAdminSchema()
  const enums = Object.values(schema.getTypeMap()).filter((type) => isEnumType(type))
  const own = enums.filter(({ name }) => !name.startsWith('__'))
  const words = own.flatMap((type) => type.getValues().map(({ name }) => name))
  expect(words.filter((word) => word !== word.toUpperCase())).toEqual([])
  for (const [place, type] of [
    ['Viewer.role', 'Role!'],
    ['Session.role', 'Role!'],
    ['Actor.role', 'Role'],
    ['Actor.kind', 'ActorKind'],
    ['StoreState.kind', 'StoreKind!'],
    ['Job.kind', 'JobKind!'],
    ['Account.replyModel', 'ReplyModel'],
    ['Account.lacks', '[AccountLack!]'],
    ['Account.outputLimitField', 'OutputLimitField'],
    ['CreateAccountInput.lacks', '[AccountLack!]'],
    ['LedgerRow.uncosted', 'UnknownCost'],
    ['Account.priority', 'Int'],
  ] as const) {
    const [name, field] = place.split('.') as [string, string]
    const parent = schema.getType(name)
    const fields = parent && 'getFields' in parent ? parent.getFields() : {}
    expect([place, String(fields[field]?.type)]).toEqual([place, type])
  }
})
