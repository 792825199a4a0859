import { expect, test } from 'vitest'

import { createAuditLog } from '../../../src/audit/log.ts'
import { resolveSettings } from '../../../src/configuration/resolve.ts'
import type { OidcSetting } from '../../../src/configuration/settings.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { startBrowser } from './browser.ts'
import {
  type Jar,
  type TestProvider,
  clientSecret,
  follow,
  startProvider,
  visit,
} from './provider.ts'
import { persisted, send } from './send.ts'

const roles = { readers: 'viewer', steerers: 'operator', admins: 'admin' } as const

interface Setup extends AsyncDisposable {
  readonly provider: TestProvider
  readonly gateway: AdminGateway
  /** Signs in as far as the URL to which the provider sends the browser back. */
  arrive(jar: Jar): Promise<string>
}

interface Options {
  readonly inToken?: boolean
  readonly now?: () => number
  readonly uptime?: () => number
  readonly attemptsPerMinute?: number
  readonly console?: boolean
}

async function start(options: Options = {}): Promise<Setup> {
  await using opening = new AsyncDisposableStack()
  const provider = opening.use(await startProvider(options))
  const gateway = opening.use(
    await startAdminGateway({
      admin: {
        ...(options.console === false && { console: false }),
        oidc: {
          issuer: provider.issuer,
          clientId: 'dragoman',
          clientSecret,
          roles,
          scopes: ['openid', 'groups'],
        },
      },
      adminLimits: { attemptsPerMinute: options.attemptsPerMinute ?? 100 },
      ...(options.now && { now: options.now }),
      ...(options.uptime && { uptime: options.uptime }),
    }),
  )
  provider.register(gateway.adminUrl)
  const opened = opening.move()
  return {
    provider,
    gateway,
    arrive: (jar) =>
      follow(jar, `${gateway.adminUrl}/session/oidc`, `${gateway.adminUrl}/session/oidc/callback`),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** What the session of a browser may do. */
async function whoIs({ gateway }: Setup, jar: Jar): Promise<unknown> {
  const { host } = new URL(gateway.adminUrl)
  const cookie = `dragoman_admin=${jar.get(`${host} dragoman_admin`)}`
  const asked = persisted('{ viewer { id role } }', { cookie, 'x-dragoman-console': '1' })
  const answer = await send(gateway.adminUrl, asked)
  return answer.status === 200 ? (JSON.parse(answer.text) as unknown) : answer.status
}

/** The last record of a sign-in. */
async function lastRecord({ gateway }: Setup) {
  const all = await createAuditLog({ store: gateway.running.store }).list({ limit: 100 })
  return all.find(({ action }) => action !== 'token.use')
}

test.each([true, false])(
  'a user signs in at the provider, with the greatest role of their groups (in the token: %s)',
  async (inToken) => {
    await using at = await start({ inToken })
    at.provider.user = { id: 'alice', groups: ['readers', 'others', 'steerers'] }
    const jar: Jar = new Map()
    const begun = await visit(jar, `${at.gateway.adminUrl}/session/oidc`)
    const asked = new URL(begun.headers.get('location')!)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid groups',
    })
    expect(begun.headers.getSetCookie()[0]).toMatch(
      /^dragoman_sign_in=\S+; HttpOnly; SameSite=Lax; Path=\/; Max-Age=600$/,
    )
    const done = await visit(jar, await at.arrive(jar))
    expect(done.status).toBe(200)
    expect(done.headers.getSetCookie().join()).toMatch(
      /dragoman_admin=\S+; HttpOnly; SameSite=Strict/,
    )
    expect(await whoIs(at, jar)).toEqual({
      data: { viewer: { id: 'oidc/alice', role: 'OPERATOR' } },
    })
    expect(await lastRecord(at)).toMatchObject({
      action: 'session.begin',
      result: 'DONE',
      actor: { id: 'oidc/alice', role: 'operator' },
    })
    const shown = JSON.stringify([at.gateway.log, await lastRecord(at), await done.text()])
    expect(shown).not.toContain(clientSecret)
  },
)

test('a sign-in returns to the page of the console that began it, and to no other place', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const returns = async (query: string) => {
    const jar: Jar = new Map()
    const callback = `${at.gateway.adminUrl}/session/oidc/callback`
    const arrived = await follow(jar, `${at.gateway.adminUrl}/session/oidc${query}`, callback)
    const done = await visit(jar, arrived)
    const page = await done.text()
    const { host } = new URL(at.gateway.adminUrl)
    const to = /url=([^"]*)"/.exec(page)![1]!.replaceAll('&amp;', '&')
    const uses = ['graphiql', 'console'].filter((use) =>
      jar.has(`${host} dragoman_${use === 'console' ? 'admin' : use}`),
    )
    return [new URL(to, callback).href.replace(at.gateway.adminUrl, ''), uses.join()]
  }
  const to = (path: string) => returns(`?return=${encodeURIComponent(path)}`)
  expect(await returns('')).toEqual(['/console/', 'console'])
  expect(await to('/console/calls?status=5XX&from=2026-11-29T10:00:00Z')).toEqual([
    '/console/calls?status=5XX&from=2026-11-29T10:00:00Z',
    'console',
  ])
  // GraphiQL sends any document: only who asks for it gets such a session.
  expect(await to('/graphiql')).toEqual(['/graphiql', 'graphiql'])
  for (const path of [
    '//evil.example',
    '//evil.example/console/',
    'https://evil.example/console/',
    '/\\evil.example',
    '/console\\..\\..\\evil.example',
    '/console/../graphiql',
    '/console/%2e%2e/graphiql',
    '/console/.%2E/session/oidc',
    '/console/\n//evil.example',
    '/console/"><script>alert(1)</script>',
    'javascript:alert(1)//console/',
    '/consoles/',
    '/console',
    `/console/${'a'.repeat(2_000)}`,
    '%2f%2fevil.example',
  ])
    expect([path, await to(path)]).toEqual([path, ['/console/', 'console']])
})

test('a sign-in for GraphiQL, which a script in a page could begin, asks the user', async () => {
  await using at = await start()
  const promptOf = async (path: string) => {
    const begun = await visit(new Map(), `${at.gateway.adminUrl}/session/oidc${path}`)
    return new URL(begun.headers.get('location')!).searchParams.get('prompt')
  }
  expect(await promptOf('')).toBeNull()
  expect(await promptOf('?return=/console/calls')).toBeNull()
  expect(await promptOf('?return=/graphiql')).toBe('login')
})

test('a sign-in returns to GraphiQL where the configuration leaves the console out', async () => {
  await using at = await start({ console: false })
  at.provider.user = { id: 'alice', groups: ['admins'] }
  for (const path of ['', '?return=/console/calls', '?return=//evil.example']) {
    const jar: Jar = new Map()
    const callback = `${at.gateway.adminUrl}/session/oidc/callback`
    const arrived = await follow(jar, `${at.gateway.adminUrl}/session/oidc${path}`, callback)
    const page = await (await visit(jar, arrived)).text()
    expect([path, page]).toEqual([path, expect.stringContaining('url=../../graphiql"')])
  }
  const refused = await visit(new Map(), `${at.gateway.adminUrl}/session/oidc/callback?state=x`)
  expect(await refused.text()).not.toContain('/console/')
})

test('a browser that another server on its host gave a cookie returns to the console', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = await at.arrive(jar)
  const name = [...jar.keys()].find((one) => one.endsWith('dragoman_sign_in'))!
  const parts = jar.get(name)!.split('.')
  parts[4] = Buffer.from('//evil.example').toString('base64url')
  jar.set(name, parts.join('.'))
  const done = await visit(jar, arrived)
  expect(await done.text()).toContain('url=../../console/"')
})

test('a user without a group of the configuration has no role, and no session', async () => {
  await using at = await start()
  for (const groups of [
    ['others'],
    [],
    undefined,
    'other',
    ['__proto__', 'constructor'],
    [{}, 1],
  ]) {
    at.provider.user = { id: 'mallory', groups }
    const jar: Jar = new Map()
    const refused = await visit(jar, await at.arrive(jar))
    expect(await lastRecord(at)).toMatchObject({ target: { id: 'oidc/mallory' } })
    expect([groups, refused.status]).toEqual([groups, 401])
    expect(await whoIs(at, jar)).toBe(401)
    const record = await lastRecord(at)
    expect(record).toMatchObject({ action: 'session.begin', result: 'REFUSED' })
    expect(record?.actor).toBeUndefined()
  }
})

test('a code is taken once', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = await at.arrive(jar)
  const before = new Map(jar)
  expect((await visit(jar, arrived)).status).toBe(200)
  // The browser has forgotten that it began; one that remembers is refused by the provider.
  expect((await visit(jar, arrived)).status).toBe(401)
  expect((await visit(before, arrived)).status).toBe(401)
})

test('only the browser that began a sign-in can end it', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const attacker: Jar = new Map()
  const arrived = await at.arrive(attacker)
  const empty: Jar = new Map()
  expect((await visit(empty, arrived)).status).toBe(401)
  const victim: Jar = new Map()
  await visit(victim, `${at.gateway.adminUrl}/session/oidc`)
  expect((await visit(victim, arrived)).status).toBe(401)
  expect(await whoIs(at, victim)).toBe(401)

  const forged = new URL(await at.arrive(attacker))
  forged.searchParams.set('state', 'forged')
  expect((await visit(new Map(attacker), forged.href)).status).toBe(401)
  forged.searchParams.delete('state')
  expect((await visit(new Map(attacker), forged.href)).status).toBe(401)
})

test('what another page lets a browser fetch changes nothing of its sign-in', async () => {
  await using at = await start({ attemptsPerMinute: 1 })
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const callback = `${at.gateway.adminUrl}/session/oidc/callback`
  const jar: Jar = new Map()
  const arrived = await at.arrive(jar)
  const { host } = new URL(at.gateway.adminUrl)
  const cookie = `dragoman_sign_in=${jar.get(`${host} dragoman_sign_in`)}`
  for (const url of [
    callback,
    `${callback}?x`,
    `${callback}?state=forged&code=1`,
    `${callback}?state=`,
  ])
    for (const headers of [{}, { cookie }, { cookie: 'dragoman_sign_in=' }]) {
      const refused = await fetch(url, { headers, redirect: 'manual' })
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []])
    }
  for (const purpose of ['image', 'iframe', 'script', 'empty'])
    for (const url of [arrived, `${at.gateway.adminUrl}/session/oidc`]) {
      const headers = { cookie, 'sec-fetch-dest': purpose }
      const answer = await send(at.gateway.adminUrl, {
        method: 'GET',
        path: url.slice(at.gateway.adminUrl.length),
        headers,
      })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    }
  expect(await lastRecord(at)).toBeUndefined()
  expect((await visit(jar, arrived)).status).toBe(200)
})

test('a provider that is away uses up no attempt', async () => {
  await using at = await start({ attemptsPerMinute: 1 })
  const jar: Jar = new Map()
  const arrived = await at.arrive(jar)
  await at.provider[Symbol.asyncDispose]()
  for (let count = 0; count < 3; count++)
    expect((await visit(new Map(jar), arrived)).status).toBe(503)
})

test.each([
  [1, 'nonce'],
  [2, 'code verifier'],
])('a sign-in with another secret is refused: %s, the %s', async (index) => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = await at.arrive(jar)
  const key = `${new URL(at.gateway.adminUrl).host} dragoman_sign_in`
  const parts = jar.get(key)!.split('.')
  parts[index] = 'x'.repeat(parts[index]!.length)
  jar.set(key, parts.join('.'))
  expect((await visit(jar, arrived)).status).toBe(401)
  expect(await whoIs(at, jar)).toBe(401)
})

test('a code of another issuer, an error and nothing at all are refused, without their words', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = new URL(await at.arrive(jar))
  const base = `${at.gateway.adminUrl}/session/oidc/callback`
  const state = arrived.searchParams.get('state')!
  const other = new URL(arrived)
  other.searchParams.set('iss', 'http://127.0.0.1:1')
  for (const url of [
    other.href,
    base,
    `${base}?state=${state}`,
    `${base}?state=${state}&error=access_denied&error_description=%3Cscript%3Ewords-canary`,
  ]) {
    const refused = await visit(new Map(jar), url)
    const text = await refused.text()
    expect([refused.status, text.includes('canary')]).toEqual([401, false])
    expect(JSON.stringify(await lastRecord(at))).not.toContain('canary')
  }
})

test('a sign-in that takes too long is refused', async () => {
  let at = Date.now()
  await using setup = await start({ now: () => at })
  setup.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = await setup.arrive(jar)
  at += 10 * 60_000
  expect((await visit(jar, arrived)).status).toBe(401)
})

test('a clock that is set refuses no sign-in, and keeps no old endpoints of the provider', async () => {
  const clock = { now: Date.now(), uptime: 0 }
  await using setup = await start({ now: () => clock.now, uptime: () => clock.uptime })
  setup.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  const arrived = await setup.arrive(jar)
  // Also that of another process, at which the browser comes back.
  clock.now -= 5_000
  expect((await visit(jar, arrived)).status).toBe(200)
  expect(setup.provider.discoveries).toBe(1)
  clock.now += 2 * 60 * 60_000
  await setup.arrive(new Map())
  expect(setup.provider.discoveries).toBe(1)
  clock.now -= 4 * 60 * 60_000
  clock.uptime += 61 * 60_000
  await setup.arrive(new Map())
  expect(setup.provider.discoveries).toBe(2)
})

test('a provider that is away is said to be away', async () => {
  await using at = await start()
  await at.provider[Symbol.asyncDispose]()
  const begun = await visit(new Map(), `${at.gateway.adminUrl}/session/oidc`)
  expect([begun.status, begun.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await begun.text()).toContain('does not answer')
})

test('without a provider in the configuration there is no such sign-in', async () => {
  await using gateway = await startAdminGateway()
  for (const path of ['/session/oidc', '/session/oidc/callback'])
    expect((await fetch(`${gateway.adminUrl}${path}`)).status).toBe(404)
})

test('a session of a user loses what the configuration takes from their groups', async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  const jar: Jar = new Map()
  await visit(jar, await at.arrive(jar))
  const become = (changed: Partial<OidcSetting>) =>
    at.gateway.reconfigure({
      adminAccess: {
        allowedHosts: [],
        trustedProxies: [],
        oidc: {
          issuer: at.provider.issuer,
          clientId: 'dragoman',
          clientSecret,
          scopes: [],
          groupsClaim: 'groups',
          roles,
          ...changed,
        },
      },
    })
  become({ roles: { admins: 'viewer' } })
  expect(await whoIs(at, jar)).toEqual({ data: { viewer: { id: 'oidc/alice', role: 'VIEWER' } } })
  for (const changed of [
    { roles: { others: 'viewer' as const } },
    { issuer: 'https://other.example' },
  ]) {
    const again: Jar = new Map()
    become({ scopes: ['openid', 'groups'] })
    await visit(again, await at.arrive(again))
    expect(await whoIs(at, again)).toMatchObject({ data: { viewer: { role: 'ADMIN' } } })
    become(changed)
    expect([changed, await whoIs(at, again)]).toEqual([changed, 401])
  }
})

test('a browser comes back signed in', { timeout: 120_000 }, async () => {
  await using at = await start()
  at.provider.user = { id: 'alice', groups: ['admins'] }
  await using browser = await startBrowser(at.gateway.adminUrl)
  const { page } = browser
  await page.goto(`${at.gateway.adminUrl}/graphiql`)
  await page.getByText('Sign in with your organisation').click()
  await page.locator('.graphiql-execute-button').waitFor({ timeout: 60_000 })
  const { host } = new URL(at.provider.issuer)
  expect(browser.faults.filter((fault) => !fault.includes(host))).toEqual([])
})

test('a configuration of a provider is checked', () => {
  const oidc = { issuer: 'https://login.example', clientId: 'a', clientSecret: 'b', roles }
  const check = (changed: object) => () =>
    resolveSettings({ admin: { oidc: { ...oidc, ...changed } } }, { env: {} })
  expect(check({})()).toMatchObject({
    adminAccess: {
      oidc: { ...oidc, groupsClaim: 'groups', scopes: ['openid', 'profile', 'email'] },
    },
  })
  expect(check({ scopes: ['groups'] })().adminAccess?.oidc?.scopes).toEqual(['openid', 'groups'])
  for (const [path, value] of [
    ['issuer', 'http://login.example'],
    ['issuer', 'https://user:password@login.example'],
    ['redirectUrl', 'https://admin.example/elsewhere'],
    ['redirectUrl', 'http://admin.example/session/oidc/callback'],
    ['clientSecret', 'env:NOT_SET'],
    ['roles', {}],
    ['roles', { admins: 'owner' }],
    ['scopes', ['two words']],
  ] as const)
    expect(check({ [path]: value })).toThrow(`admin.oidc.${path}`)
})

test('a browser whose sign-in is refused gets a page that says why', async () => {
  await using at = await start({ attemptsPerMinute: 1, uptime: () => 0 })
  const jar: Jar = new Map()
  const statuses: number[] = []
  let text = ''
  for (let tries = 0; tries < 2; tries++) {
    const forged = `${await at.arrive(jar)}x`.replace(/code=[^&]*/, 'code=forged')
    const refused = await visit(jar, forged)
    statuses.push(refused.status)
    expect(refused.headers.get('content-type')).toBe('text/html; charset=utf-8')
    text = await refused.text()
  }
  expect(statuses).toEqual([401, 429])
  expect(text).toContain('Too many attempts to sign in from this address.')
})
