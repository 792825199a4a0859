import { expect, test } from 'vitest'

import { createToken } from '../../src/admin/tokens.ts'
import { adminTokenRecords, createAdminToken } from '../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'

interface Created {
  readonly createAdminToken: { readonly __typename: string; readonly secret?: string }
}

interface Revoked {
  readonly revokeAdminToken: { readonly __typename: string }
}

interface Listed {
  readonly adminTokens: Page<{ id: string; state: string }>
}

const create = `mutation ($id: ID!, $role: Role!, $expiresAt: DateTime) {
  createAdminToken(input: {id: $id, role: $role, expiresAt: $expiresAt}) {
    __typename
    ... on CreateAdminTokenSuccess { secret token { id role state origin createdBy expiresAt } }
    ... on Conflict { message }
    ... on ManagedByFile { message fix }
    ... on Invalid { message problems { path } }
  } }`

const revoke = `mutation ($id: ID!) { revokeAdminToken(input: {id: $id, reason: "lost"}) {
  __typename
  ... on RevokeAdminTokenSuccess { token { id state } }
  ... on Conflict { message }
  ... on ManagedByFile { message fix }
} }`

const list = '{ adminTokens { edges { node { id origin state role createdBy lastUsedAt } } } }'

async function issue(gateway: AdminGateway, id: string, role = 'VIEWER') {
  const { data } = await gateway.graph<Created>(create, { id, role })
  return data.createAdminToken.secret ?? ''
}

/** Asks with a credential; the answer without what differs from request to request. */
async function askWith(adminUrl: string, authorization?: string) {
  const response = await fetch(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: '{"query":"{ viewer { id role } }"}',
  })
  const { date: _, 'x-request-id': _id, ...headers } = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

const statusWith = async (adminUrl: string, secret: string) =>
  (await askWith(adminUrl, `Bearer ${secret}`)).status

test('a token is created, used, listed and revoked; its secret is shown once', async () => {
  await using gateway = await startAdminGateway()
  const created = await gateway.graph<Created>(create, { id: 'ci', role: 'OPERATOR' })
  const { secret = '', ...rest } = created.data.createAdminToken
  expect(secret).toMatch(/^dga_[\w-]{43}$/)
  expect(rest).toMatchObject({
    token: {
      id: 'ci',
      role: 'OPERATOR',
      state: 'ACTIVE',
      origin: 'STORE',
      createdBy: 'token:admin',
    },
  })
  expect(JSON.parse((await askWith(gateway.adminUrl, `Bearer ${secret}`)).body)).toEqual({
    data: { viewer: { id: 'ci', role: 'OPERATOR' } },
  })

  const again = await gateway.graph<Created>(create, { id: 'ci', role: 'VIEWER' })
  expect(again.data.createAdminToken.__typename).toBe('Conflict')
  const done = await gateway.graph<Revoked>(revoke, { id: 'ci' })
  expect(done.data.revokeAdminToken).toEqual({
    __typename: 'RevokeAdminTokenSuccess',
    token: { id: 'ci', state: 'REVOKED' },
  })
  expect(await statusWith(gateway.adminUrl, secret)).toBe(401)
  const reused = await gateway.graph<Created>(create, { id: 'ci', role: 'VIEWER' })
  expect(reused.data.createAdminToken.__typename).toBe('Conflict')

  const listed = await gateway.graph<Listed>(list, {}, 'viewer')
  expect(nodesOf(listed.data.adminTokens).map(({ id, state }) => [id, state])).toEqual([
    ['admin', 'ACTIVE'],
    ['ci', 'REVOKED'],
    ['operator', 'ACTIVE'],
    ['viewer', 'ACTIVE'],
  ])
  const audit = await gateway.graph<{ audit: Page<{ action: string; result: string }> }>(
    '{ audit(filter: {action: "admin-token"}) { edges { node { action result actor { kind id } target { id } reason after } } } }',
  )
  expect(nodesOf(audit.data.audit).map(({ action, result }) => `${action} ${result}`)).toEqual([
    'admin-token.create FAILED',
    'admin-token.revoke DONE',
    'admin-token.create FAILED',
    'admin-token.create DONE',
  ])
  const told = [listed, audit, gateway.log, gateway.accessLog]
  for (const canary of [
    secret,
    'sha256:',
    ...['admin', 'viewer'].map((r) => gateway.token(r as 'admin')),
  ]) {
    expect(JSON.stringify(told)).not.toContain(canary)
  }
})

test('whatever is wrong with a credential, the answer is the same', async () => {
  const store = openMemoryStore()
  const expired = await createAdminToken(
    store,
    { id: 'old', role: 'admin', createdBy: 'test', expiresAt: 2 },
    1,
  )
  await using gateway = await startAdminGateway({ store })
  const revoked = await issue(gateway, 'gone')
  await gateway.graph(revoke, { id: 'gone' })
  const reference = await askWith(gateway.adminUrl)
  expect(reference.status).toBe(401)
  const admin = gateway.token('admin')
  const credentials = [
    'Bearer dga_wrong',
    `Bearer ${revoked}`,
    `Bearer ${expired?.secret}`,
    `Bearer ${gateway.key}`,
    `Bearer ${admin}x`,
    `Bearer ${admin} x`,
    `Basic ${btoa(`x:${admin}`)}`,
    `Token ${admin}`,
    admin,
    'Bearer ',
    `Bearer ${'x'.repeat(4_000)}`,
  ]
  for (const credential of credentials) {
    expect([credential, await askWith(gateway.adminUrl, credential)]).toEqual([
      credential,
      reference,
    ])
  }
  for (const elsewhere of [`?key=${admin}`, `?access_token=${admin}`]) {
    const response = await fetch(`${gateway.adminUrl}/graphql${elsewhere}`, { method: 'POST' })
    expect(response.status).toBe(401)
  }
})

test('an admin token is no API key, and the other way round', async () => {
  await using gateway = await startAdminGateway()
  const status = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` }
    const response = await fetch(`${gateway.url}/v1/models`, { headers })
    return [response.status, await response.text()]
  }
  expect((await status(gateway.key))[0]).toBe(200)
  expect((await status(gateway.token('admin')))[0]).toBe(401)
  expect(await status(gateway.token('admin'))).toEqual(await status('dgm_wrong'))
  expect(await statusWith(gateway.adminUrl, gateway.key)).toBe(401)
})

async function openStores() {
  const redis = await startRedis()
  const directory = await temporaryDirectory()
  const urls = { redis: redis.url, file: `file:${directory.path}` }
  return {
    urls,
    async [Symbol.asyncDispose]() {
      await redis[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}

test.each(['redis', 'file'] as const)(
  'on %s another replica knows a new token and a revoked one within two seconds',
  async (kind) => {
    await using stores = await openStores()
    const store = stores.urls[kind]
    await using one = await startAdminGateway({ store })
    await using other = await startAdminGateway({ store })
    const secret = await issue(one, 'shared')
    const inTime = { timeout: 2000 }
    await expect.poll(() => statusWith(other.adminUrl, secret), inTime).toBe(200)
    await one.graph(revoke, { id: 'shared' })
    await expect.poll(() => statusWith(other.adminUrl, secret), inTime).toBe(401)
  },
)

test('what the configuration and the environment have is not changed, and no bad token is made', async () => {
  const past = '2020-01-01T00:00:00Z'
  await using gateway = await startAdminGateway()
  const outcome = async (id: string, expiresAt?: string) => {
    const variables = { id, role: 'VIEWER', expiresAt }
    return (await gateway.graph<Created>(create, variables)).data.createAdminToken.__typename
  }
  expect(await outcome('viewer')).toBe('ManagedByFile')
  expect(await outcome('environment')).toBe('ManagedByFile')
  expect(await outcome('a b')).toBe('Invalid')
  expect(await outcome('x'.repeat(129))).toBe('Invalid')
  expect(await outcome('late', past)).toBe('Invalid')
  const revoked = async (id: string) =>
    (await gateway.graph<Revoked>(revoke, { id })).data.revokeAdminToken.__typename
  expect(await revoked('viewer')).toBe('ManagedByFile')
  expect(await revoked('environment')).toBe('ManagedByFile')
  expect(await revoked('nothing')).toBe('NotFound')
  const { data } = await gateway.graph<Listed>(list)
  expect(nodesOf(data.adminTokens)).toHaveLength(3)
})

test('a damaged token is shown as such, and neither revoked nor made again', async () => {
  const store = openMemoryStore()
  await adminTokenRecords(store).set('odd', { id: 'odd' } as never)
  await using gateway = await startAdminGateway({ store })
  const { data } = await gateway.graph<Listed>(list)
  expect(nodesOf(data.adminTokens)).toContainEqual(
    expect.objectContaining({ id: 'odd', state: 'UNREADABLE', role: null }),
  )
  const revoked = await gateway.graph<Revoked>(revoke, { id: 'odd' })
  expect(revoked.data.revokeAdminToken.__typename).toBe('Conflict')
  const created = await gateway.graph<Created>(create, { id: 'odd', role: 'VIEWER' })
  expect(created.data.createAdminToken.__typename).toBe('Conflict')
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('damaged'), tokens: ['odd'] }),
  )
})

test('no one grants a role above their own', async () => {
  await using gateway = await startAdminGateway()
  const { services } = gateway.admin
  const creator = { kind: 'token', id: 'op', role: 'operator' } as const
  const result = await createToken(services, creator, { id: 'up', role: 'admin' })
  expect(result).toMatchObject({ failure: 'Conflict' })
  expect(await createToken(services, creator, { id: 'even', role: 'operator' })).toHaveProperty(
    'secret',
  )
})

test('while the store is away, known tokens work and others are not called wrong', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  const secret = await issue(gateway, 'known')
  store.broken.reads = true
  await until(async () => (await statusWith(gateway.adminUrl, 'dga_unknown')) === 503)
  expect(await statusWith(gateway.adminUrl, secret)).toBe(200)
  expect((await askWith(gateway.adminUrl)).status).toBe(401)
  store.broken.reads = false
  await until(async () => (await statusWith(gateway.adminUrl, 'dga_unknown')) === 401)
})

test('a token that cannot be stored is not created', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await startAdminGateway({ store })
  store.broken.writes = true
  const { data } = await gateway.graph<Created>(create, { id: 'ci', role: 'VIEWER' })
  expect(data.createAdminToken).toEqual({ __typename: 'StoreUnavailable' })
})

test('an id is taken by an expired token, which is not said to be valid', async () => {
  const clock = { now: Date.now() }
  await using gateway = await startAdminGateway({ now: () => clock.now })
  const create = async () => {
    const input = { id: 'old', role: 'VIEWER', expiresAt: new Date(clock.now + 60_000) }
    const query = `mutation ($input: CreateAdminTokenInput!) { createAdminToken(input: $input) {
      __typename ... on ActFailure { message } } }`
    type Created = { createAdminToken: { __typename: string; message?: string } }
    return (await gateway.graph<Created>(query, { input })).data.createAdminToken
  }
  const expiresAt = new Date(clock.now + 60_000).toISOString()
  expect(await create()).toMatchObject({ __typename: 'CreateAdminTokenSuccess' })
  expect((await create()).message).toContain(`It is valid until ${expiresAt}.`)
  clock.now += 120_000
  const { message } = await create()
  expect(message).toContain(`The admin token "old" expired at ${expiresAt}`)
  expect(message).not.toContain('is valid until')
})
