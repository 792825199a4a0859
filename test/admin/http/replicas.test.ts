import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import { createAdminToken } from '../../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { type Store, StoreUnavailable } from '../../../src/stores/store.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { send } from './send.ts'

/** Two gateways on one store, of which the second sees the tokens of the store when it is let. */
async function startReplicas() {
  const store = openMemoryStore()
  const sight: { is: 'clear' | 'old' | 'away' } = { is: 'clear' }
  const first: Store = { ...store, close: async () => {} }
  const second: Store = {
    ...first,
    records(namespace, options) {
      const own = store.records<never>(namespace, options)
      if (namespace !== 'admin-tokens') return own
      let seen = ''
      const version = async () => {
        if (sight.is === 'away') throw new StoreUnavailable('away')
        if (sight.is === 'clear') seen = await own.version()
        return seen
      }
      return { ...own, version }
    },
  }
  await using opening = new AsyncDisposableStack()
  const tokens = [
    { id: 'own', role: 'admin' as Role, secret: 'dga_of-both-replicas-0000000000000000' },
  ]
  const one = opening.use(await startAdminGateway({ store: first, tokens }))
  const other = opening.use(await startAdminGateway({ store: second, tokens }))
  const opened = opening.move()
  return { store, sight, one, other, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function signIn(gateway: AdminGateway, secret: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}` }
  const begun = await send(gateway.adminUrl, { path: '/session', headers })
  expect(begun.status).toBe(201)
  return String(begun.headers['set-cookie']).split(';')[0]!
}

/** The status of a request with a session: of `GET /session` it would be 200 also without one. */
async function ask({ adminUrl }: AdminGateway, cookie: string): Promise<number> {
  const shown = await send(adminUrl, { method: 'GET', path: '/graphiql', headers: { cookie } })
  return shown.status === 403 ? 200 : shown.status
}

test('a replica that does not know the token of a session yet looks it up', async () => {
  await using at = await startReplicas()
  at.sight.is = 'old'
  const issued = await createAdminToken(at.store, { id: 'new', role: 'viewer', createdBy: 'test' })
  const cookie = await signIn(at.one, issued!.secret)
  at.sight.is = 'clear'
  expect(await ask(at.other, cookie)).toBe(200)
})

test('a replica that cannot know the token of a session does not end the session', async () => {
  await using at = await startReplicas()
  at.sight.is = 'old'
  const issued = await createAdminToken(at.store, { id: 'new', role: 'viewer', createdBy: 'test' })
  const cookie = await signIn(at.one, issued!.secret)
  expect(await ask(at.other, cookie)).toBe(401)
  expect(await ask(at.one, cookie)).toBe(200)
  at.sight.is = 'away'
  expect(await ask(at.other, cookie)).toBe(503)
  expect(await ask(at.one, cookie)).toBe(200)
})

test('a replica with another configuration does not end the sessions of the others', async () => {
  await using at = await startReplicas()
  const cookie = await signIn(at.one, 'dga_of-both-replicas-0000000000000000')
  at.other.reconfigure({ adminTokens: [] })
  expect(await ask(at.other, cookie)).toBe(401)
  expect(await ask(at.one, cookie)).toBe(200)
})

test('the session of a revoked token is over in every process, and its record goes', async () => {
  await using at = await startReplicas()
  const issued = await createAdminToken(at.store, { id: 'new', role: 'viewer', createdBy: 'test' })
  const cookie = await signIn(at.one, issued!.secret)
  const tokens = at.store.records<{ revokedAt?: number }>('admin-tokens', { listed: true })
  await tokens.update('new', (known) => ({ ...known, revokedAt: Date.now() }))
  for (const gateway of [at.one, at.other])
    await expect.poll(() => ask(gateway, cookie), { timeout: 10_000 }).toBe(401)
  expect(await at.store.records('admin-sessions', { listed: true }).list()).toEqual([])
})
