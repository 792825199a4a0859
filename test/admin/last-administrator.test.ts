import { describe, expect, test } from 'vitest'

import { revokeToken } from '../../src/admin/tokens.ts'
import {
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { announceRevocation } from '../../src/stores/revocations.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { grounds } from './grounds.ts'

const revoke = `mutation ($id: ID!) { revokeAdminToken(input: {id: $id, reason: "leaked"}) {
  __typename ... on Conflict { message } } }`

const create = `mutation ($id: ID!) { createAdminToken(input: {id: $id, role: ADMIN}) {
  __typename } }`

interface Outcome {
  readonly __typename: string
  readonly message?: string
}

async function ask(gateway: AdminGateway, secret: string, query: string, variables: object = {}) {
  const response = await fetch(`${gateway.adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ query, variables }),
  })
  const { data } = (await response.json()) as { data: Record<string, Outcome> }
  return Object.values(data)[0]!
}

const revokeWith = (gateway: AdminGateway, secret: string, id: string) =>
  ask(gateway, secret, revoke, { id })

const revoked = { __typename: 'RevokeAdminTokenSuccess' }

test('the last token of role admin is not revoked by mistake', async () => {
  const store = openMemoryStore()
  const first = await createAdminToken(store, { id: 'first', role: 'admin', createdBy: 'test' })
  const secret = first!.secret
  await createAdminToken(store, { id: 'old', role: 'admin', createdBy: 'x', expiresAt: 2 }, 1)
  await createAdminToken(store, { id: 'small', role: 'operator', createdBy: 'test' })
  await using gateway = await startAdminGateway({ store, tokens: [] })
  expect(await revokeWith(gateway, secret, 'first')).toEqual({
    __typename: 'Conflict',
    message: expect.stringContaining('last') as string,
  })
  expect(await revokeWith(gateway, secret, 'small')).toEqual(revoked)
  await ask(gateway, secret, create, { id: 'second' })
  // The revocation that was refused has no effect on others.
  expect(await revokeWith(gateway, secret, 'second')).toEqual(revoked)
  await ask(gateway, secret, create, { id: 'third' })
  expect(await revokeWith(gateway, secret, 'first')).toEqual(revoked)
})

test('a stored token that the configuration hides is no administrator who could create the next', async () => {
  const store = openMemoryStore()
  const last = await createAdminToken(store, { id: 'last', role: 'admin', createdBy: 'test' })
  await createAdminToken(store, { id: 'hidden', role: 'admin', createdBy: 'test' })
  const secret = 'of-the-configuration-0123456789-012'
  const tokens = [{ id: 'hidden', role: 'viewer' as const, secret }]
  await using gateway = await startAdminGateway({ store, tokens })
  const outcome = await revokeWith(gateway, last!.secret, 'last')
  expect(outcome.__typename).toBe('Conflict')
})

describe.each(grounds)('on $name', ({ open }) => {
  test('of the last two administrators one stays, whoever is revoked at the same time', async () => {
    await using opened = await open()
    const { store } = opened
    for (let round = 0; round < 5; round++) {
      await using one = await startAdminGateway({ store, tokens: [] })
      await using other = await startAdminGateway({ store, tokens: [] })
      const ids = [`a${round}`, `b${round}`]
      for (const id of ids) {
        await createAdminToken(store, { id, role: 'admin', createdBy: 'test' })
      }
      // Without sockets: the token of one request must not be refused before the other is.
      const outcomes = await Promise.all(
        [one, other].map(({ services }, index) =>
          revokeToken(services, { kind: 'token' }, ids[index]!),
        ),
      )
      expect(outcomes.filter((one) => 'failure' in one)).toMatchObject([{ failure: 'Conflict' }])
      const left = (await listAdminTokens(store)).filter((token) => !('revokedAt' in token))
      expect(left).toHaveLength(1)
      await revokeAdminToken(store, left[0]!.id)
    }
  })
})

test('a revocation that died on its way counts for a while, so that no administrator is lost by it', async () => {
  let at = Date.now()
  const store = openMemoryStore()
  const ids = ['first', 'second']
  const [, second] = await Promise.all(
    ids.map((id) => createAdminToken(store, { id, role: 'admin', createdBy: 'test' }, at)),
  )
  await using gateway = await startAdminGateway({ store, tokens: [], now: () => at })
  // Another process was killed after this.
  await announceRevocation(store, 'second', at)
  expect(await revokeWith(gateway, second!.secret, 'first')).toMatchObject({
    __typename: 'Conflict',
  })
  at += 6 * 60_000
  expect(await revokeWith(gateway, second!.secret, 'first')).toEqual(revoked)
})
