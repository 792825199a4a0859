import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import { type AuditRecord, createAuditLog } from '../../../src/audit/log.ts'
import { hashSecret } from '../../../src/stores/key-secret.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import {
  type Records,
  type RecordsOptions,
  type Store,
  StoreUnavailable,
} from '../../../src/stores/store.ts'
import { type AdminGateway, nodesOf, type Page, startAdminGateway } from '../admin-gateway.ts'
import { type Answer, operation, persisted, proofOf, send, type Sent } from './send.ts'

const viewer = '{ viewer { id role expiresAt } }'
const console = { 'x-dragoman-console': '1' }
const json = { 'content-type': 'application/json' }

function signIn(
  gateway: AdminGateway,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(gateway.adminUrl, {
    path: '/session',
    headers: { ...json, ...headers },
    body: JSON.stringify({ token }),
  })
}

/** The cookie that an answer sets, as a browser sends it. */
function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';')[0]!
}

async function signedIn(gateway: AdminGateway, role: Role): Promise<string> {
  const answer = await signIn(gateway, gateway.token(role))
  expect(answer.status).toBe(201)
  return cookieOf(answer)
}

function ask(gateway: AdminGateway, cookie: string, headers: Record<string, string> = {}) {
  return send(gateway.adminUrl, persisted(viewer, { ...console, cookie, ...headers }))
}

async function records(gateway: AdminGateway): Promise<AuditRecord[]> {
  const all = await createAuditLog({ store: gateway.running.store }).list({ limit: 100 })
  return all.filter(({ action }) => action !== 'token.use')
}

test('a token begins a session, which a cookie carries that pages cannot read', async () => {
  await using gateway = await startAdminGateway()
  const answer = await signIn(gateway, gateway.token('operator'), { 'user-agent': 'browser' })
  expect(answer.status).toBe(201)
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^dragoman_admin=[\da-f]{24}\.[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
  )
  const cookie = cookieOf(answer)
  const shown = await send(gateway.adminUrl, {
    method: 'GET',
    path: '/session',
    headers: { cookie },
  })
  expect(JSON.parse(shown.text)).toMatchObject({
    kind: 'session',
    id: 'operator',
    role: 'operator',
  })
  const { data } = JSON.parse((await ask(gateway, cookie)).text) as { data: object }
  expect(data).toMatchObject({ viewer: { id: 'operator', role: 'OPERATOR' } })
  expect(await records(gateway)).toMatchObject([
    {
      action: 'session.begin',
      actor: { kind: 'session', id: 'operator' },
      result: 'DONE',
      agent: 'browser',
    },
  ])
})

test('the bearer of a token begins a session without a body', async () => {
  await using gateway = await startAdminGateway()
  const headers = { authorization: `Bearer ${gateway.token('viewer')}` }
  const answer = await send(gateway.adminUrl, { path: '/session', headers })
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([201, { role: 'viewer' }])
})

test('under https the cookie is of this host alone', async () => {
  await using gateway = await startAdminGateway({
    admin: { allowedHosts: ['admin.example'], trustedProxies: ['127.0.0.1'] },
  })
  const host = 'admin.example'
  for (const https of [
    { host, origin: 'https://admin.example' },
    { host, 'x-forwarded-proto': 'https' },
  ]) {
    const answer = await signIn(gateway, gateway.token('admin'), https)
    expect(String(answer.headers['set-cookie'])).toMatch(
      /^__Host-dragoman_admin=\S+; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
    )
    expect((await ask(gateway, cookieOf(answer), { host })).status).toBe(200)
  }
})

test('the store has no secret that opens a session', async () => {
  const written: string[] = []
  const store = openMemoryStore()
  const watched: Store = {
    ...store,
    records<T>(namespace: string, options?: RecordsOptions) {
      const own = store.records<T>(namespace, options)
      const watch: Records<T> = {
        ...own,
        set: (id, value, more) => {
          written.push(JSON.stringify([id, value]))
          return own.set(id, value, more)
        },
      }
      return watch
    },
  }
  await using gateway = await startAdminGateway({ store: watched })
  const cookie = await signedIn(gateway, 'admin')
  const secret = cookie.split('.')[1]!
  const all = `${written.join('')}${JSON.stringify(gateway.log)}`
  expect(all).toContain('session.begin')
  expect(all).not.toContain(secret)
  expect(all).not.toContain(gateway.token('admin'))
  const { data } = await gateway.graph<object>('{ sessions { edges { node { id principalId } } } }')
  expect(JSON.stringify(data)).not.toContain(secret)
})

test('a cookie works only for requests that the own pages send', async () => {
  await using gateway = await startAdminGateway()
  const cookie = await signedIn(gateway, 'admin')
  const own = `http://${new URL(gateway.adminUrl).host}`
  const bare = await send(gateway.adminUrl, operation(viewer, { cookie }))
  expect([bare.status, bare.code]).toEqual([403, 'CONSOLE_HEADER_REQUIRED'])
  const ended = await send(gateway.adminUrl, {
    method: 'DELETE',
    path: '/session',
    headers: { cookie },
  })
  expect(ended.status).toBe(403)
  for (const site of ['cross-site', 'same-site', 'something']) {
    expect((await ask(gateway, cookie, { 'sec-fetch-site': site })).status).toBe(403)
    const headers = { cookie, 'sec-fetch-site': site }
    const shown = await send(gateway.adminUrl, { method: 'GET', path: '/session', headers })
    expect([shown.status, shown.text.includes('admin"')]).toEqual([403, false])
  }
  expect((await ask(gateway, cookie, { origin: 'http://evil.example' })).status).toBe(403)
  const form = await send(gateway.adminUrl, {
    headers: { ...console, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'query={viewer{id}}',
  })
  expect(form.status).toBe(415)
  for (const site of ['same-origin', 'none'])
    expect((await ask(gateway, cookie, { 'sec-fetch-site': site, origin: own })).status).toBe(200)
})

test('a wrong token beside a valid cookie is refused', async () => {
  await using gateway = await startAdminGateway()
  const cookie = await signedIn(gateway, 'admin')
  expect((await ask(gateway, cookie, { authorization: 'Bearer none' })).status).toBe(401)
  expect((await ask(gateway, cookie, { authorization: '' })).status).toBe(401)
})

test('a session ends where it is ended, and its cookie opens nothing afterwards', async () => {
  await using gateway = await startAdminGateway()
  const cookie = await signedIn(gateway, 'admin')
  const ended = await send(gateway.adminUrl, {
    method: 'DELETE',
    path: '/session',
    headers: { ...console, cookie },
  })
  expect(ended.status).toBe(204)
  expect(String(ended.headers['set-cookie'])).toContain('dragoman_admin=;')
  expect(String(ended.headers['set-cookie'])).toContain('Max-Age=0')
  expect((await ask(gateway, cookie)).status).toBe(401)
  const noted = (await records(gateway)).map(({ action, result }) => `${action} ${result}`)
  expect(noted.toSorted()).toEqual(['session.begin DONE', 'session.end DONE'])
})

test('a client cannot choose its session, and a new sign-in ends the one before', async () => {
  await using gateway = await startAdminGateway()
  const chosen = `dragoman_admin=${'a'.repeat(24)}.${'b'.repeat(43)}`
  const first = cookieOf(await signIn(gateway, gateway.token('viewer'), { cookie: chosen }))
  expect(first).not.toBe(chosen)
  expect((await ask(gateway, chosen)).status).toBe(401)
  const second = cookieOf(await signIn(gateway, gateway.token('admin'), { cookie: first }))
  expect((await ask(gateway, first)).status).toBe(401)
  expect((await ask(gateway, second)).status).toBe(200)
  const [id] = second.split('=')[1]!.split('.')
  expect((await ask(gateway, `dragoman_admin=${id}.${'b'.repeat(43)}`)).status).toBe(401)
})

test('a session that nobody uses is over, and so is one that is used for too long', async () => {
  let at = Date.now()
  await using gateway = await startAdminGateway({ now: () => at })
  const minute = 60_000
  const idle = await signedIn(gateway, 'admin')
  at += 29 * minute
  expect((await ask(gateway, idle)).status).toBe(200)
  at += 29 * minute
  expect((await ask(gateway, idle)).status).toBe(200)
  at += 30 * minute
  expect((await ask(gateway, idle)).status).toBe(401)

  const busy = await signedIn(gateway, 'admin')
  for (let used = 0; used < 12 * 60 - 20; used += 20) {
    at += 20 * minute
    expect((await ask(gateway, busy)).status).toBe(200)
  }
  at += 20 * minute
  expect((await ask(gateway, busy)).status).toBe(401)
})

test('a page that asks by itself, or only watches, does not keep a session in use', async () => {
  let at = Date.now()
  await using gateway = await startAdminGateway({ now: () => at })
  const minute = 60_000
  const cookie = await signedIn(gateway, 'admin')
  const ends = at + 30 * minute
  const background = { 'x-dragoman-background': '1' }
  at += 20 * minute
  const subscription = persisted('subscription { live { __typename } }', {
    ...console,
    cookie,
    accept: 'text/event-stream',
  })
  const asked = [
    () => ask(gateway, cookie, background),
    () => shown(gateway, { cookie, ...background }),
    () => watch(gateway, subscription),
  ]
  for (const one of asked) expect((await one()).status).toBe(200)
  const idleUntil = async (headers = {}) =>
    (JSON.parse((await shown(gateway, { cookie, ...headers })).text) as { idleUntil: string })
      .idleUntil
  expect(await idleUntil(background)).toBe(new Date(ends).toISOString())
  // A click counts, also one that only reads the session.
  expect(await idleUntil()).toBe(new Date(ends + 20 * minute).toISOString())
  const answer = await send(
    gateway.adminUrl,
    persisted('{ viewer { idleUntil } }', { ...console, cookie }),
  )
  expect(JSON.parse(answer.text)).toEqual({
    data: { viewer: { idleUntil: new Date(ends + 20 * minute).toISOString() } },
  })
  at += 29 * minute
  expect((await ask(gateway, cookie, background)).status).toBe(200)
  at += minute
  expect((await ask(gateway, cookie, background)).status).toBe(401)
})

/** Begins a stream, and leaves with its first bytes. */
async function watch(gateway: AdminGateway, { headers, body }: Sent) {
  const left = new AbortController()
  const { status } = await fetch(`${gateway.adminUrl}/graphql`, {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: body as string,
    signal: left.signal,
  })
  left.abort()
  return { status }
}

function shown(gateway: AdminGateway, headers: Record<string, string> = {}): Promise<Answer> {
  return send(gateway.adminUrl, { method: 'GET', path: '/session', headers })
}

test('a page asks whether somebody is signed in without an error in the browser', async () => {
  await using gateway = await startAdminGateway()
  const signedOut = { signedIn: false, oidc: false }
  const cookie = await signedIn(gateway, 'operator')
  const read = async (headers = {}) => {
    const { status, text } = await shown(gateway, headers)
    return [status, JSON.parse(text) as object]
  }
  expect(await read()).toEqual([200, signedOut])
  expect(await read({ cookie: `dragoman_admin=${'a'.repeat(24)}.${'b'.repeat(43)}` })).toEqual([
    200,
    signedOut,
  ])
  expect(await read({ cookie })).toEqual([
    200,
    {
      signedIn: true,
      oidc: false,
      kind: 'session',
      id: 'operator',
      role: 'operator',
      sessionId: expect.stringMatching(/^[\da-f]{24}$/) as string,
      for: 'console',
      idleUntil: expect.any(String) as string,
      expiresAt: expect.any(String) as string,
    },
  ])
  // Another site learns nothing, and a wrong token is a wrong token.
  expect((await shown(gateway, { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await shown(gateway, { authorization: 'Bearer none' })).status).toBe(401)
})

test('a clock that is set back prolongs no session', async () => {
  const minute = 60_000
  const right = Date.now()
  let at = right + 180 * minute
  await using gateway = await startAdminGateway({ now: () => at })
  const idle = await signedIn(gateway, 'viewer')
  const busy = await signedIn(gateway, 'admin')
  at = right
  for (const cookie of [idle, busy]) expect((await ask(gateway, cookie)).status).toBe(200)
  at += 30 * minute
  expect((await ask(gateway, idle)).status).toBe(401)
  at = right
  for (let used = 0; used < 12 * 60; used += 20) {
    expect([used, (await ask(gateway, busy)).status]).toEqual([used, 200])
    at += 20 * minute
  }
  expect((await ask(gateway, busy)).status).toBe(401)
})

/** A gateway with one token, which changes as `become` says, and expires in an hour. */
async function startWithToken(clock: { at: number }) {
  const secret = 'dga_one-secret-of-a-token-that-expires-0'
  const expiresAt = clock.at + 60 * 60_000
  const one = { id: 'one', role: 'operator' as Role, hash: hashSecret(secret), expiresAt }
  const gateway = await startAdminGateway({
    now: () => clock.at,
    tokens: [{ id: 'one', role: 'operator', secret, expiresAt }],
  })
  const become = (changes: object) => gateway.reconfigure({ adminTokens: [{ ...one, ...changes }] })
  return { ...gateway, secret, expiresAt, become }
}

test('a session has the role of its token, and ends when that expires', async () => {
  const clock = { at: Date.now() }
  await using gateway = await startWithToken(clock)
  const { secret, expiresAt, become } = gateway
  const cookie = cookieOf(await signIn(gateway, secret))
  expect(JSON.parse((await ask(gateway, cookie)).text)).toMatchObject({
    data: { viewer: { id: 'one', expiresAt: new Date(expiresAt).toISOString() } },
  })
  become({ role: 'viewer' })
  expect(JSON.parse((await ask(gateway, cookie)).text)).toMatchObject({
    data: { viewer: { role: 'VIEWER' } },
  })
  clock.at = expiresAt - 40 * 60_000
  expect((await ask(gateway, cookie)).status).toBe(200)
  clock.at = expiresAt - 20 * 60_000
  expect((await ask(gateway, cookie)).status).toBe(200)
  clock.at = expiresAt
  expect((await ask(gateway, cookie)).status).toBe(401)
})

test('a session dies with its token', async () => {
  const clock = { at: Date.now() }
  await using gateway = await startWithToken(clock)
  const { secret, become } = gateway
  for (const change of [{ hash: hashSecret('another') }, { id: 'two' }, { expiresAt: clock.at }]) {
    become({})
    const another = cookieOf(await signIn(gateway, secret))
    expect((await ask(gateway, another)).status).toBe(200)
    become(change)
    expect([change, (await ask(gateway, another)).status]).toEqual([change, 401])
  }
})

test('every process knows a session, and its end', async () => {
  const store = openMemoryStore()
  const shared = { store: { ...store, close: async () => {} } }
  const tokens = [
    { id: 'admin', role: 'admin' as Role, secret: 'dga_one-secret-of-two-gateways-000000' },
  ]
  await using one = await startAdminGateway({ ...shared, tokens })
  await using other = await startAdminGateway({ ...shared, tokens })
  const cookie = cookieOf(await signIn(one, tokens[0]!.secret))
  expect((await ask(other, cookie)).status).toBe(200)
  const headers = { ...console, cookie }
  await send(other.adminUrl, { method: 'DELETE', path: '/session', headers })
  expect((await ask(one, cookie)).status).toBe(401)
})

test('wrong, expired, other and absent tokens are answered alike', async () => {
  const secret = 'dga_one-secret-of-an-expired-token-000000'
  await using gateway = await startAdminGateway({
    tokens: [{ id: 'old', role: 'admin', secret, expiresAt: '2020-01-01T00:00:00Z' }],
  })
  const bodies = [
    JSON.stringify({ token: 'wrong' }),
    JSON.stringify({ token: secret }),
    JSON.stringify({ token: gateway.key }),
    JSON.stringify({ token: { a: 1 } }),
    '{',
  ]
  const answers = []
  for (const body of bodies)
    answers.push(await send(gateway.adminUrl, { path: '/session', headers: json, body }))
  const shown = answers.map(({ status, text, headers }) => [status, text, headers['set-cookie']])
  expect(shown).toEqual(bodies.map(() => [401, shown[0]![1], undefined]))
  await gateway.services.deniedActs.close()
  const noted = await records(gateway)
  expect(noted).toMatchObject([{ count: 5 }])
  for (const { actor, result, action } of noted)
    expect([actor, result, action]).toEqual([undefined, 'REFUSED', 'session.begin'])
  expect(JSON.stringify(noted)).not.toContain('wrong')
})

test('an address that guesses has to wait, and no header hides it', async () => {
  let at = 0
  await using gateway = await startAdminGateway({
    uptime: () => at,
    admin: { trustedProxies: ['10.0.0.0/8'] },
  })
  const guess = (address = '10.0.0.1') => signIn(gateway, 'guess', { 'x-forwarded-for': address })
  for (let count = 0; count < 5; count++) expect((await guess(`10.0.0.${count}`)).status).toBe(401)
  const refused = await guess()
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '12'])
  expect((await records(gateway)).map(({ action }) => action).toSorted()).toEqual([
    'address.limit',
    'session.begin',
  ])
  // Who shares the address is not locked out.
  expect((await signIn(gateway, gateway.token('admin'))).status).toBe(201)
  expect((await guess()).status).toBe(429)
  at += 12_000
  expect((await guess()).status).toBe(401)
  expect((await guess()).status).toBe(429)
  at += 12_000
  expect((await signIn(gateway, gateway.token('admin'))).status).toBe(201)
  // What has succeeded does not count.
  expect((await signIn(gateway, gateway.token('admin'))).status).toBe(201)
})

test('what names no token at all uses up no attempt', async () => {
  await using gateway = await startAdminGateway()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let count = 0; count < 10; count++) {
    const refused = await send(gateway.adminUrl, {
      path: '/session',
      headers: form,
      body: 'token=a',
    })
    expect(refused.status).toBe(415)
  }
  expect((await signIn(gateway, gateway.token('admin'))).status).toBe(201)
})

test('guesses at the same time are as many as guesses one after another', async () => {
  await using gateway = await startAdminGateway()
  const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(gateway, 'guess')))
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
})

test('behind a trusted proxy each client has its own attempts', async () => {
  await using gateway = await startAdminGateway({ admin: { trustedProxies: ['127.0.0.0/8'] } })
  const guess = (address: string) => signIn(gateway, 'guess', { 'x-forwarded-for': address })
  for (let count = 0; count < 5; count++) expect((await guess('10.0.0.1')).status).toBe(401)
  // What the client itself has written stands before what the proxy adds.
  expect((await guess('10.9.9.9, 10.0.0.1')).status).toBe(429)
  expect((await guess('10.0.0.2')).status).toBe(401)
  for (let count = 0; count < 5; count++)
    expect((await guess(`2001:db8:0:1::${count}`)).status).toBe(401)
  expect((await guess('2001:db8::1:ffff:0:0:1')).status).toBe(429)
  expect((await guess('2001:db8:0:2::1')).status).toBe(401)
  expect((await records(gateway)).map(({ address }) => address)).toContain('10.0.0.1')
})

test('a sign-in without a store is refused, and so is its session', async () => {
  const store = openMemoryStore()
  let isAway = false
  const failing: Store = {
    ...store,
    records(namespace, options) {
      const own = store.records<never>(namespace, options)
      const guard =
        (name: keyof typeof own) =>
        async (...given: unknown[]) => {
          if (isAway) throw new StoreUnavailable('away')
          return (own[name] as (...all: unknown[]) => Promise<unknown>)(...given)
        }
      const names = Object.keys(own) as (keyof typeof own)[]
      return Object.fromEntries(names.map((name) => [name, guard(name)])) as unknown as typeof own
    },
  }
  await using gateway = await startAdminGateway({ store: failing })
  const cookie = await signedIn(gateway, 'admin')
  isAway = true
  for (const token of [gateway.token('admin'), 'wrong']) {
    const answer = await signIn(gateway, token)
    expect([answer.status, answer.code, answer.headers['set-cookie']]).toEqual([
      503,
      'STORE_UNAVAILABLE',
      undefined,
    ])
  }
  expect((await ask(gateway, cookie)).status).toBe(503)
  isAway = false
  expect((await ask(gateway, cookie)).status).toBe(200)
})

const sessions = '{ sessions { edges { node { id principalId role isCurrent } } } }'
const end = 'mutation ($id: ID!) { endSession(input: {id: $id}) { __typename } }'

test('admins see and end all sessions, others their own', async () => {
  await using gateway = await startAdminGateway()
  const mine = await signedIn(gateway, 'viewer')
  const others = await signedIn(gateway, 'operator')
  const idOf = (cookie: string) => cookie.split('=')[1]!.split('.')[0]!
  const asViewer = async (query: string, variables?: object) => {
    const answer = await send(
      gateway.adminUrl,
      persisted(query, { ...console, cookie: mine }, variables),
    )
    return JSON.parse(answer.text) as { data: Record<string, Page<{ id: string }>> }
  }
  const own = await asViewer(sessions)
  expect(nodesOf(own.data['sessions']!)).toMatchObject([{ id: idOf(mine), isCurrent: true }])
  const all = await gateway.graph<{ sessions: Page<{ id: string }> }>(sessions)
  const ids = nodesOf(all.data.sessions).map(({ id }) => id)
  expect(ids.toSorted()).toEqual([idOf(mine), idOf(others)].toSorted())
  expect((await gateway.graph(sessions, {}, 'operator')).data).toEqual({ sessions: { edges: [] } })

  const refused = await asViewer(end, { id: idOf(others) })
  expect(refused.data).toEqual({ endSession: { __typename: 'NotFound' } })
  expect((await ask(gateway, others)).status).toBe(200)
  const done = await gateway.graph(end, { id: idOf(others) })
  expect(done.data).toEqual({ endSession: { __typename: 'EndSessionSuccess' } })
  expect((await ask(gateway, others)).status).toBe(401)
  await asViewer(end, { id: idOf(mine) })
  expect((await ask(gateway, mine)).status).toBe(401)
})

test('a session of an admin does not read the schema', async () => {
  await using gateway = await startAdminGateway()
  const begun = await send(gateway.adminUrl, {
    path: '/session',
    headers: json,
    body: JSON.stringify({ token: gateway.token('admin'), for: 'graphiql' }),
  })
  const cookie = cookieOf(begun)
  const query = '{ __schema { queryType { name } } }'
  const plain = await send(gateway.adminUrl, operation(query, { ...console, cookie }))
  expect(plain.text).toContain('errors')
  const proof = await proofOf(gateway.adminUrl, cookie)
  const graphiql = { ...console, cookie, 'x-dragoman-graphiql': proof }
  expect((await send(gateway.adminUrl, operation(query, graphiql))).text).not.toContain('errors')
})

test('a session rests as long as the configuration says, also after a reload', async () => {
  let at = Date.now()
  const idleMs = 2 * 60 * 60_000
  const sessions = { idleMs }
  await using gateway = await startAdminGateway({ admin: { sessions }, now: () => at })
  const cookie = await signedIn(gateway, 'viewer')
  const shown = async () => {
    const headers = { cookie }
    const answer = await send(gateway.adminUrl, { method: 'GET', path: '/session', headers })
    return JSON.parse(answer.text) as { signedIn: boolean; idleUntil?: string }
  }
  expect(Date.parse((await shown()).idleUntil!)).toBe(at + idleMs)
  at += 90 * 60_000
  expect((await ask(gateway, cookie)).status).toBe(200)
  at += 90 * 60_000
  await gateway.reload({ admin: { sessions: { idleMs: 10 * 60_000 } } })
  expect((await shown()).signedIn).toBe(false)
  expect((await ask(gateway, cookie)).status).toBe(401)
})

test('over https only the cookie that no other host can set is a session', async () => {
  await using gateway = await startAdminGateway({ admin: { trustedProxies: ['127.0.0.1'] } })
  const cookie = await signedIn(gateway, 'admin')
  expect(cookie).toMatch(/^dragoman_admin=/)
  expect((await ask(gateway, cookie)).status).toBe(200)
  const https = { 'x-forwarded-proto': 'https' }
  expect((await ask(gateway, cookie, https)).status).toBe(401)
  expect((await ask(gateway, `__Host-${cookie}`, https)).status).toBe(200)
})
