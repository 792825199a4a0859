import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { type GraphQLSchema, buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'

import {
  type Act,
  type Operation,
  acts,
  lists,
  live,
  queries,
} from '../../../src/cli/remote/operations.ts'
import { readGenerated } from '../../docs/generated.ts'
import { openPage, repository } from '../../docs/pages.ts'
import { rolesRegion } from '../../docs/roles/table.ts'

const schema: GraphQLSchema = buildSchema(readFileSync(join(repository, 'schema.graphql'), 'utf8'))

const all: [string, Operation<unknown>][] = [
  ...Object.entries(lists),
  ...Object.entries(queries),
  ...Object.entries(acts),
  ['live', live],
]

test.each(all)('what the commands ask for by %s is in schema.graphql', (_name, { document }) => {
  expect(validate(schema, parse(document))).toEqual([])
})

test('a document that the schema does not have is found', () => {
  const found = validate(schema, parse('{ accounts { edges { node { noField } } } }'))
  expect(found.map(({ message }) => message)).toEqual([
    'Cannot query field "noField" on type "Account".',
  ])
})

test('the commands have no other documents', () => {
  const folder = join(repository, 'src/cli')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && path !== join('remote', 'operations.ts'),
  )
  const others = files.filter((path) =>
    /`\s*(?:query|mutation|subscription|\{)\b[^`]*\{[^`]*`/.test(
      readFileSync(join(folder, path), 'utf8'),
    ),
  )
  expect(others).toEqual([])
})

test.each(Object.entries(acts) as [string, Act<unknown>][])(
  'the role that a refused %s names is the least that may do it',
  (name, act) => {
    const row = readGenerated(openPage('docs/admin.md').text, rolesRegion)
      .split('\n')
      .find((line) => line.includes(`| \`${name}\` |`))
    const [viewer, operator] =
      row
        ?.split('|')
        .slice(4)
        .map((cell) => cell.trim()) ?? []
    expect(act.name).toBe(name)
    expect(act.role).toBe(viewer === 'yes' ? 'viewer' : operator === 'yes' ? 'operator' : 'admin')
  },
)
