import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import { type AuditRecord, createAuditLog } from '../../../src/audit/log.ts'
import { createAdminToken } from '../../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { type Answer, operation, persisted, send } from './send.ts'

const viewer = '{ viewer { id } }'
const most = 20

function askWith(
  { adminUrl }: AdminGateway,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(adminUrl, operation(viewer, { authorization: `Bearer ${token}`, ...headers }))
}

/** Sends so many wrong tokens at the same time. Returns the statuses, in order. */
async function guess(gateway: AdminGateway, count: number, headers = {}): Promise<number[]> {
  const guesses = Array.from({ length: count }, (_, index) => `dga_guess-${index}`)
  const answers = await Promise.all(guesses.map((one) => askWith(gateway, one, headers)))
  return answers.map(({ status }) => status).toSorted((one, other) => one - other)
}

const statuses = (unauthenticated: number, tooMany: number) => [
  ...Array.from({ length: unauthenticated }, () => 401),
  ...Array.from({ length: tooMany }, () => 429),
]

async function refusals(gateway: AdminGateway): Promise<AuditRecord[]> {
  const all = await createAuditLog({ store: gateway.running.store }).list({ limit: 100 })
  return all.filter(({ action }) => action === 'token.use')
}

test('an address that guesses tokens waits at every door, and valid tokens pass from it', async () => {
  let at = 0
  await using gateway = await startAdminGateway({ uptime: () => at })
  expect(await guess(gateway, most + 30)).toEqual(statuses(most, 30))
  const headers = { authorization: 'Bearer dga_guess' }
  for (const path of ['/graphql', '/audit.ndjson', '/session', '/graphiql/start.js']) {
    const answer = await send(gateway.adminUrl, { method: 'GET', path, headers })
    expect([path, answer.status, answer.headers['retry-after']]).toEqual([path, 429, '3'])
  }
  for (const role of ['viewer', 'admin'] as const) {
    expect((await askWith(gateway, gateway.token(role))).status).toBe(200)
  }
  at += 3_000
  expect((await askWith(gateway, 'dga_guess')).status).toBe(401)
  expect((await askWith(gateway, 'dga_guess')).status).toBe(429)
  // A request without a credential is no guess.
  expect((await send(gateway.adminUrl, operation(viewer, {}))).status).toBe(401)
})

test('a clock that is set forgives no guess, and makes no address wait longer', async () => {
  const hour = 60 * 60_000
  const clock = { now: Date.now(), uptime: 0 }
  await using gateway = await startAdminGateway({
    now: () => clock.now,
    uptime: () => clock.uptime,
  })
  await guess(gateway, most)
  for (const set of [hour, -5 * hour, 2 * hour]) {
    clock.now += set
    const refused = await askWith(gateway, 'dga_guess')
    expect([set, refused.status, refused.headers['retry-after']]).toEqual([set, 429, '3'])
  }
  clock.now -= hour
  clock.uptime += 3_000
  expect((await askWith(gateway, 'dga_guess')).status).toBe(401)
  expect((await askWith(gateway, 'dga_guess')).status).toBe(429)
})

test('a new token of another process passes from an address that guesses, as soon as it is known', async () => {
  const store = openMemoryStore()
  await using gateway = await startAdminGateway({ store })
  await guess(gateway, most)
  const issued = await createAdminToken(store, { id: 'new', role: 'viewer', createdBy: 'test' })
  await expect
    .poll(async () => (await askWith(gateway, issued!.secret)).status, { timeout: 5_000 })
    .toBe(200)
})

test('the guesses of one address do not slow down another', async () => {
  await using gateway = await startAdminGateway({ admin: { trustedProxies: ['127.0.0.0/8'] } })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  expect(await guess(gateway, most + 5, from('10.0.0.1'))).toEqual(statuses(most, 5))
  expect(await guess(gateway, 5, from('10.0.0.2'))).toEqual(statuses(5, 0))
  expect(await guess(gateway, 15, from('2001:db8:0:1::1'))).toEqual(statuses(15, 0))
  // A network of IPv6 is one address.
  expect(await guess(gateway, 15, from('2001:db8:0:1::2'))).toEqual(statuses(5, 10))
})

test('a flood of guesses costs neither reads of the store nor a record for each', async () => {
  const reads = { count: 0 }
  await using gateway = await startAdminGateway({ store: counting(openMemoryStore(), reads) })
  await guess(gateway, most)
  const before = reads.count
  for (let round = 0; round < 5; round++) await guess(gateway, 100)
  // The tokens are followed meanwhile, once a second.
  expect(reads.count - before).toBeLessThan(50)
  expect(await refusals(gateway)).toHaveLength(1)
  await gateway.services.deniedActs.close()
  expect(await refusals(gateway)).toMatchObject([
    { address: '127.0.0.1', result: 'REFUSED', count: most + 500 },
  ])
})

test('wrong cookies are guesses too, and a session passes from their address', async () => {
  await using gateway = await startAdminGateway()
  const body = JSON.stringify({ token: gateway.token('viewer') })
  const json = { 'content-type': 'application/json' }
  const signedIn = await send(gateway.adminUrl, { path: '/session', headers: json, body })
  const own = String(signedIn.headers['set-cookie']).split(';')[0]!
  const wrong = `dragoman_admin=${'0'.repeat(24)}.${'x'.repeat(43)}`
  const ask = async (cookie: string) =>
    (await send(gateway.adminUrl, persisted(viewer, { 'x-dragoman-console': '1', cookie }))).status
  const answers = await Promise.all(Array.from({ length: most + 5 }, () => ask(wrong)))
  expect(answers.toSorted((one, other) => one - other)).toEqual(statuses(most, 5))
  expect(await ask(own)).toBe(200)
  expect(await refusals(gateway)).toHaveLength(1)
})

/** Sends so many cookies of no session at the same time. Returns the statuses, in order. */
async function guessCookies({ adminUrl }: AdminGateway, count: number): Promise<number[]> {
  const cookies = Array.from(
    { length: count },
    () => `dragoman_admin=${randomBytes(12).toString('hex')}.${'x'.repeat(43)}`,
  )
  const answers = await Promise.all(cookies.map((cookie) => askWithCookie(adminUrl, cookie)))
  return answers.toSorted((one, other) => one - other)
}

async function askWithCookie(adminUrl: string, cookie: string): Promise<number> {
  const headers = { 'x-dragoman-console': '1', cookie }
  return (await send(adminUrl, persisted(viewer, headers))).status
}

async function signIn(gateway: AdminGateway, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const begun = await send(gateway.adminUrl, { path: '/session', headers })
  return String(begun.headers['set-cookie']).split(';')[0]!
}

test('a flood of cookies reads the store no more than one of tokens', async () => {
  const reads = { count: 0 }
  const store = counting(openMemoryStore(), reads, 'admin-sessions')
  await using gateway = await startAdminGateway({ store, uptime: () => 0 })
  const own = await signIn(gateway, gateway.token('viewer'))
  expect(await guessCookies(gateway, most + 30)).toEqual(statuses(most, 30))
  const before = reads.count
  for (let round = 0; round < 5; round++) await guessCookies(gateway, 100)
  // At most a page of the sessions every two seconds.
  expect(reads.count - before).toBeLessThan(50)
  expect(await askWithCookie(gateway.adminUrl, own)).toBe(200)
  await send(gateway.adminUrl, {
    method: 'DELETE',
    path: '/session',
    headers: { 'x-dragoman-console': '1', cookie: own },
  })
  expect(await askWithCookie(gateway.adminUrl, own)).toBe(429)
})

test('a session of another process passes from an address that guesses, as soon as it is known', async () => {
  const store = openMemoryStore()
  const secret = 'dga_one-secret-of-a-token-that-signs-in-00'
  const tokens = [{ id: 'one', role: 'viewer' as const, secret }]
  await using first = await startAdminGateway({ store, tokens })
  await using other = await startAdminGateway({ store, tokens, uptime: () => 0 })
  expect(await guessCookies(other, most + 5)).toEqual(statuses(most, 5))
  const own = await signIn(first, secret)
  await expect
    .poll(() => askWithCookie(other.adminUrl, own), { timeout: 10_000, interval: 500 })
    .toBe(200)
  expect(await askWithCookie(other.adminUrl, `${own.slice(0, -1)}-`)).toBe(429)
})

/** A store that counts how often its records of a namespace are read. */
function counting(store: Store, reads: { count: number }, namespace = 'admin-tokens'): Store {
  const records: Store['records'] = <T>(...parameters: Parameters<Store['records']>) => {
    const opened = store.records<T>(...parameters)
    if (parameters[0] !== namespace) return opened
    const counted = <Parameters extends unknown[], Result>(
      read: (...given: Parameters) => Result,
    ) => {
      return (...given: Parameters) => {
        reads.count++
        return read(...given)
      }
    }
    return {
      ...opened,
      version: counted(() => opened.version()),
      get: counted((id) => opened.get(id)),
      list: counted((options) => opened.list(options)),
    }
  }
  return { ...store, records }
}
