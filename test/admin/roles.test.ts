import { expect, test } from 'vitest'

import { createBuilder } from '../../src/admin/builder.ts'
import { roles } from '../../src/admin/roles.ts'
import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { readGenerated } from '../docs/generated.ts'
import { openPage } from '../docs/pages.ts'
import { rootFields } from '../docs/roles/operations.ts'
import { permissions, renderRoles, rolesRegion } from '../docs/roles/table.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
import { undecided } from './decisions.ts'

const schema = createAdminSchema()

test('nothing enters the schema without a decision who may see it', () => {
  expect(undecided(schema)).toEqual([])
})

test('a root field, a type and a field without a decision are found', () => {
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
  const found = ['Open', 'Open.secret', 'Query.careless', 'Query.empty']
  expect(undecided(builder.toSchema()).toSorted()).toEqual(found)
})

test('each role may use what the page says; `node test/docs/roles/write.ts` writes it', async () => {
  const shown = readGenerated(openPage('docs/admin.md').text, rolesRegion)
  expect(shown).toBe(await renderRoles(schema))
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
      expect([field.name, data ?? null]).toEqual([field.name, null])
      expect(errors.map(({ extensions }) => extensions?.code)).toEqual(['FORBIDDEN'])
    }
  }
  const { data } = await gateway.graph<{ audit: Page<{ result: string }> }>(
    '{ audit { edges { node { result } } } }',
  )
  expect(nodesOf(data.audit).filter(({ result }) => result !== 'REFUSED')).toEqual([])
})
