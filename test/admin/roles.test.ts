import { expect, test } from 'vitest'

import { createBuilder } from '../../src/admin/builder.ts'
import { roles } from '../../src/admin/roles.ts'
import { assertDecided, createAdminSchema } from '../../src/admin/schema/index.ts'
import { unaudited, undecided } from '../../src/admin/schema/undecided.ts'
import { rootFields } from '../docs/roles/operations.ts'
import { permissions } from '../docs/roles/table.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

const schema = createAdminSchema()

test('nothing enters the schema without a decision who may see it', () => {
  expect([undecided(schema), unaudited(schema)]).toEqual([[], []])
})

test('a root field, a type, a field and a mutation without a decision are found, and nothing starts', () => {
  const builder = createBuilder()
  const open = builder.objectRef<object>('Open').implement({
    fields: (t) => ({ secret: t.string({ resolve: () => '' }) }),
  })
  const empty = { authScopes: {} }
  const closed = { authScopes: { viewer: true } }
  builder.queryType({
    fields: (t) => ({
      careless: t.field({ type: open, resolve: () => ({}) }),
      empty: t.field({ type: open, ...empty, resolve: () => ({}) }),
      closed: t.field({ type: open, ...closed, resolve: () => ({}) }),
    }),
  })
  const stepping = builder.objectRef<object>('Stepping').implement({
    ...closed,
    fields: (t) => ({ over: t.string({ skipTypeScopes: true, resolve: () => '' }) }),
  })
  builder.mutationType({
    fields: (t) => ({ silent: t.field({ type: stepping, ...closed, resolve: () => ({}) }) }),
  })
  const found = ['Open.secret', 'Query.careless', 'Query.empty', 'Stepping.over']
  const built = builder.toSchema()
  expect(undecided(built).toSorted()).toEqual(found)
  expect(unaudited(built)).toEqual(['Mutation.silent'])
  expect(() => assertDecided(built)).toThrow('Open.secret')
})

test('a role may do all that a lesser one may, and viewers change nothing', async () => {
  for (const { field, permitted } of await permissions(schema)) {
    expect([field.name, permitted]).toEqual([field.name, roles.slice(-permitted.length)])
    // Everybody may end their own session.
    if (field.kind === 'mutation' && field.name !== 'endSession')
      expect(permitted).not.toContain('viewer')
  }
})

test('over a socket no root field answers those without a token, or of a lesser role', async () => {
  await using gateway = await startAdminGateway()
  for (const { operation } of rootFields(schema)) {
    const response = await fetch(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: operation }),
    })
    expect({ operation, status: response.status }).toEqual({ operation, status: 401 })
    await response.body?.cancel()
  }
  for (const { field, permitted } of await permissions(schema)) {
    const refused =
      field.kind === 'subscription' ? [] : roles.filter((one) => !permitted.includes(one))
    for (const role of refused) {
      const { data, errors } = await gateway.graph(field.operation, {}, role)
      expect([field.name, Object.values(data ?? {}).filter(Boolean)]).toEqual([field.name, []])
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN'])
    }
  }
  const { data } = await gateway.graph<{ audit: Page<{ result: string }> }>(
    '{ audit(first: 100) { edges { node { result } } } }',
  )
  expect(nodesOf(data.audit).filter(({ result }) => result !== 'REFUSED')).toEqual([])
})
