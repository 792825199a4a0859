import { expect, test } from 'vitest'

import { createAdminToken, revokeAdminToken } from '../../src/stores/admin-tokens.ts'
import { createKey, revokeKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface Shown {
  readonly id: string
  readonly problem: string | null
}

interface Answered {
  readonly keys: Page<Shown>
  readonly twin: Shown
  readonly former: Shown
  readonly adminTokens: Page<Shown>
}

const query = `{
  keys { edges { node { id problem } } }
  twin: key(id: "twin") { id problem }
  former: key(id: "former") { id problem }
  adminTokens { edges { node { id problem } } }
}`

test('a key and an admin token that the file and the store have say so', async () => {
  const store = openMemoryStore()
  for (const id of ['twin', 'former', 'stored']) {
    await createKey(store, { id })
    await createAdminToken(store, { id, role: 'viewer', createdBy: 'test' })
  }
  await revokeKey(store, 'former')
  await revokeAdminToken(store, 'former')
  const secret = 's'.repeat(40)
  const tokens = ['twin', 'former'].map((id) => {
    return { id, role: 'viewer' as const, secret: `${id}-${secret}` }
  })
  await using gateway = await startAdminGateway({
    store,
    keys: ['twin', 'former', 'configured'].map((id) => ({ id, secret: `key-${id}` })),
    tokens: [...tokens, { id: 'admin', role: 'admin', secret: `admin-${secret}` }],
  })
  const response = await fetch(`${gateway.adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer admin-${secret}` },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as { data: Answered }
  const clash = (noun: string) => `The store has ${noun} of this id too, which has no effect.`
  expect(nodesOf(data.keys)).toEqual([
    { id: 'configured', problem: null },
    { id: 'former', problem: null },
    { id: 'stored', problem: null },
    { id: 'twin', problem: clash('a key') },
  ])
  expect([data.twin.problem, data.former.problem]).toEqual([clash('a key'), null])
  expect(nodesOf(data.adminTokens)).toEqual([
    { id: 'admin', problem: null },
    { id: 'former', problem: null },
    { id: 'stored', problem: null },
    { id: 'twin', problem: clash('an admin token') },
  ])
})
