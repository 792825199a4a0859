import { hash } from 'node:crypto'

import { expect, test } from 'vitest'

import { createConsole } from '../../../src/admin/console-build.ts'
import type { Role } from '../../../src/admin/roles.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { sha256Of, startConsole } from './console-build.ts'
import { type Answer, operation, proofOf, send } from './send.ts'

const viewer = 'query Who { viewer { id role } }'
const console = { 'x-dragoman-console': '1' }
const json = { 'content-type': 'application/json' }

async function signIn(gateway: AdminGateway, role: Role, use?: string): Promise<string> {
  const answer = await send(gateway.adminUrl, {
    path: '/session',
    headers: json,
    body: JSON.stringify({ token: gateway.token(role), ...(use && { for: use }) }),
  })
  expect(answer.status).toBe(201)
  return String(answer.headers['set-cookie']).split(';')[0]!
}

function post(gateway: AdminGateway, cookie: string, body: unknown): Promise<Answer> {
  return send(gateway.adminUrl, {
    headers: { ...json, ...console, cookie },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Sends a document as the page of GraphiQL does. */
async function postOfPage(
  { adminUrl }: AdminGateway,
  cookie: string,
  query: string,
): Promise<Answer> {
  const proof = await proofOf(adminUrl, cookie)
  return send(adminUrl, operation(query, { ...console, cookie, 'x-dragoman-graphiql': proof }))
}

const named = (document: string) => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(document) } },
})

test('a session of the console runs the operations of the console, and no other document', async () => {
  await using build = await startConsole(viewer)
  await using gateway = await startAdminGateway({ console: build.directory })
  const cookie = await signIn(gateway, 'admin')
  const done = await post(gateway, cookie, { ...named(viewer), operationName: 'Who' })
  expect([done.status, JSON.parse(done.text)]).toEqual([
    200,
    { data: { viewer: { id: 'admin', role: 'ADMIN' } } },
  ])
  const refused = async (body: unknown) => {
    const { status, code } = await post(gateway, cookie, body)
    return [status, code]
  }
  const needed = [403, 'PERSISTED_OPERATION_REQUIRED']
  for (const body of [
    { query: viewer },
    { query: '{ adminTokens { edges { node { id } } } }' },
    { query: viewer, ...named(viewer) },
    { query: null, ...named(viewer) },
    { extensions: { persistedQuery: { version: 2, sha256Hash: sha256Of(viewer) } } },
    { extensions: { persistedQuery: { version: 1, sha256Hash: [sha256Of(viewer)] } } },
    { extensions: { persistedQuery: sha256Of(viewer) } },
    {},
    [named(viewer)],
    null,
    '',
    '{',
    `{"__proto__": {}}`,
  ])
    expect([body, await refused(body)]).toEqual([body, needed])
  for (const sha256Hash of [sha256Of('{ viewer { id } }'), '__proto__', 'constructor', ''])
    expect(await refused({ extensions: { persistedQuery: { version: 1, sha256Hash } } })).toEqual([
      403,
      'PERSISTED_QUERY_NOT_FOUND',
    ])
  const byGet = await send(gateway.adminUrl, {
    method: 'GET',
    path: `/graphql?query=${encodeURIComponent(viewer)}`,
    headers: { ...console, cookie },
  })
  expect([byGet.status, byGet.code]).toEqual(needed)
  // The address has no say in it either.
  const inAddress = await send(gateway.adminUrl, {
    path: `/graphql?query=${encodeURIComponent('{ sessions { edges { node { id } } } }')}`,
    headers: { ...json, ...console, cookie },
    body: JSON.stringify(named(viewer)),
  })
  expect(JSON.parse(inAddress.text)).toMatchObject({ data: { viewer: { id: 'admin' } } })
})

test('a persisted operation is exempt from the complexity limit, not from roles and sizes of pages', async () => {
  const wide = `{ ${Array.from({ length: 30 }, (_, at) => `a${at}: keys(first: 100) { edges { node { id } } }`).join(' ')} }`
  const large = '{ keys(first: 101) { edges { node { id } } } }'
  const types = '{ __type(name: "Query") { name } }'
  const long = `{ ${Array.from({ length: 600 }, (_, at) => `a${at}: viewer { id }`).join(' ')} }`
  const act = 'mutation { createAdminToken(input: { id: "x", role: ADMIN }) { __typename } }'
  await using build = await startConsole(wide, large, types, long, act)
  await using gateway = await startAdminGateway({ console: build.directory })
  const admin = await signIn(gateway, 'admin')
  const viewers = await signIn(gateway, 'viewer')
  for (const document of [wide, long])
    expect((await post(gateway, admin, named(document))).text).not.toContain('errors')
  const authorization = `Bearer ${gateway.token('admin')}`
  for (const document of [wide, long])
    expect((await send(gateway.adminUrl, operation(document, { authorization }))).code).toBe(
      'DOCUMENT_TOO_LARGE',
    )
  expect((await post(gateway, admin, named(large))).code).toBe('BAD_USER_INPUT')
  expect((await post(gateway, admin, named(types))).text).toContain('introspection')
  expect((await post(gateway, viewers, named(act))).code).toBe('FORBIDDEN')
})

test('a session for GraphiQL sends any document, and only an admin gets one', async () => {
  await using build = await startConsole(viewer)
  await using gateway = await startAdminGateway({ console: build.directory })
  const admin = await signIn(gateway, 'admin', 'graphiql')
  const query = '{ viewer { id } }'
  expect((await postOfPage(gateway, admin, query)).status).toBe(200)
  for (const [role, use] of [
    ['operator', 'graphiql'],
    ['viewer', 'graphiql'],
    ['admin', 'console'],
    ['admin', 'GraphiQL'],
  ] as const) {
    const cookie = await signIn(gateway, role, use)
    expect([role, use, (await post(gateway, cookie, { query })).status]).toEqual([role, use, 403])
  }
})

test('an admin who loses the role sends no document more', async () => {
  const secret = 'dga_one-secret-of-a-token-that-is-demoted-0'
  const tokensOf = (role: Role) => [{ id: 'one', role, secret }]
  await using gateway = await startAdminGateway({ tokens: tokensOf('admin') })
  const begun = await send(gateway.adminUrl, {
    path: '/session',
    headers: json,
    body: JSON.stringify({ token: secret, for: 'graphiql' }),
  })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const query = '{ viewer { id } }'
  const proof = await proofOf(gateway.adminUrl, cookie)
  const headers = { ...console, cookie, 'x-dragoman-graphiql': proof }
  const status = async () => (await send(gateway.adminUrl, operation(query, headers))).status
  expect(await status()).toBe(200)
  await gateway.reload({ admin: { tokens: tokensOf('operator') } })
  expect(await status()).toBe(403)
})

test('GraphiQL asks an admin with a session of the console to sign in for it', async () => {
  await using gateway = await startAdminGateway()
  const get = (cookie: string, path = '/graphiql') =>
    send(gateway.adminUrl, { method: 'GET', path, headers: { cookie } })
  const cookie = await signIn(gateway, 'admin')
  const page = await get(cookie)
  expect([page.status, page.text.includes('Admin token')]).toEqual([403, true])
  expect((await get(cookie, '/graphiql/start.js')).status).toBe(403)
  expect((await get(await signIn(gateway, 'admin', 'graphiql'))).status).toBe(200)
})

test('a sign-in at GraphiQL gives a script in a page of the console no further right', async () => {
  await using build = await startConsole(viewer)
  await using gateway = await startAdminGateway({ console: build.directory })
  const { adminUrl } = gateway
  const own = await signIn(gateway, 'admin')
  const other = await signIn(gateway, 'admin', 'graphiql')
  expect([own, other].map((one) => one.split('=')[0])).toEqual([
    'dragoman_admin',
    'dragoman_graphiql',
  ])
  const cookie = `${own}; ${other}`
  const query = '{ adminTokens { edges { node { id } } } }'
  const ask = async (headers: Record<string, string>) => {
    const { status, code } = await send(
      adminUrl,
      operation(query, { ...console, cookie, ...headers }),
    )
    return [status, code]
  }
  // The cookies come with each request of the address, whichever of its pages sends it.
  expect(await ask({})).toEqual([403, 'PERSISTED_OPERATION_REQUIRED'])
  for (const guess of ['1', '', await proofOf(adminUrl, own), other, 'x'.repeat(43)])
    expect([guess, await ask({ 'x-dragoman-graphiql': guess })]).toEqual([
      guess,
      [401, 'UNAUTHENTICATED'],
    ])
  const page = (headers: Record<string, string>, path = '/graphiql') =>
    send(adminUrl, { method: 'GET', path, headers: { cookie, ...headers } })
  for (const purpose of ['empty', 'iframe', 'object', 'script']) {
    const { status, code, text } = await page({ 'sec-fetch-dest': purpose })
    expect([purpose, status, code, text.includes('data-proof')]).toEqual([
      purpose,
      403,
      'NOT_A_PAGE',
      false,
    ])
  }
  const opened = await page({ 'sec-fetch-dest': 'document' })
  expect(opened.status).toBe(200)
  // Pages of different policies have no hold of each other.
  const policyOf = ({ headers }: Answer) => headers['cross-origin-opener-policy']
  expect(policyOf(opened)).toBe('same-origin-allow-popups')
  expect(policyOf(await page({}, '/console/'))).toBe('same-origin')
  const proof = await proofOf(adminUrl, other)
  expect(await ask({ 'x-dragoman-graphiql': proof })).toEqual([200, undefined])
  const end = (headers: Record<string, string>) =>
    send(adminUrl, {
      method: 'DELETE',
      path: '/session',
      headers: { ...console, cookie, ...headers },
    })
  const ended = await end({ 'x-dragoman-graphiql': proof })
  expect([ended.status, String(ended.headers['set-cookie'])]).toEqual([
    204,
    expect.stringMatching(/^dragoman_graphiql=;|__Host-dragoman_graphiql=;/) as string,
  ])
  expect(await ask({ 'x-dragoman-graphiql': proof })).toEqual([401, 'UNAUTHENTICATED'])
  expect((await post(gateway, own, named(viewer))).status).toBe(200)
  // A session for one does not count in the place of the other.
  const swapped = await signIn(gateway, 'admin', 'graphiql')
  const value = swapped.split('=')[1]!
  expect((await post(gateway, `dragoman_admin=${value}`, named(viewer))).status).toBe(401)
})

test('operations follow the build, and a manifest that names another text permits nothing', async () => {
  await using build = await startConsole(viewer)
  await using gateway = await startAdminGateway({ console: build.directory })
  const cookie = await signIn(gateway, 'viewer')
  const status = async (document: string) => (await post(gateway, cookie, named(document))).status
  expect(await status(viewer)).toBe(200)
  const other = '{ viewer { role } }'
  await build.permit(other)
  await expect.poll(() => status(other), { timeout: 5_000 }).toBe(200)
  expect(await status(viewer)).toBe(403)
  await build.write('operations.json', JSON.stringify({ [hash('sha256', 'x')]: viewer }))
  expect(await createConsole(build.directory)()).toBeUndefined()
})
