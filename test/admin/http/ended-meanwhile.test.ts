import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql'
import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import { type AuditRecord, createAuditLog } from '../../../src/audit/log.ts'
import {
  createAdminToken,
  listAdminTokens,
  revokeAdminToken,
} from '../../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { startAdminGateway } from '../admin-gateway.ts'
import { operation, persisted, send } from './send.ts'

const secrets = { first: 'first-'.padEnd(40, 'x'), other: 'other-'.padEnd(40, 'x') }
const tokensOf = (role: Role) => [
  { id: 'first', role, secret: secrets.first },
  { id: 'other', role: 'admin' as Role, secret: secrets.other },
]
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** A gateway whose account answers a test call when it is released, and a clock of rates that a test sets ahead. */
async function start() {
  const asked = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const upstream = await startFakeAccount(async (response, request) => {
    asked.resolve()
    await held.promise
    await answerJson({ object: 'list', data: [] })(response, request)
  })
  let ahead = 0
  const accounts = [
    { id: 'slow', provider: 'openai', baseUrl: upstream.url, apiKey: 'sk-slow', models: ['*'] },
  ]
  const store = openMemoryStore()
  const gateway = await startAdminGateway({
    store,
    accounts,
    tokens: tokensOf('admin'),
    uptime: () => performance.now() + ahead,
  })
  return {
    gateway,
    store,
    accounts,
    async ask(headers: Record<string, string>, query: string) {
      const sent = 'cookie' in headers ? persisted(query, headers) : operation(query, headers)
      const { status, text } = await send(gateway.adminUrl, sent)
      return { status, ...(JSON.parse(text) as object) }
    },
    asked: asked.promise,
    /** Ends the test call, two seconds later. */
    release() {
      ahead += 2_000
      held.resolve()
    },
    records: (): Promise<AuditRecord[]> => createAuditLog({ store }).list({ limit: 100 }),
    async [Symbol.asyncDispose]() {
      held.resolve()
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

const twoActs = `mutation {
  slow: testAccount(input: { id: "slow" }) { __typename }
  late: createAdminToken(input: { id: "back", role: ADMIN }) { __typename }
}`
const lateCreation = { action: 'admin-token.create', target: { type: 'admin-token', id: 'back' } }
const slow = { __typename: 'TestAccountSuccess' }

test('a token that is revoked during an act of its operation does no further one', async () => {
  await using at = await start()
  const stolen = await createAdminToken(at.store, { id: 'stolen', role: 'admin', createdBy: 'x' })
  await at.gateway.services.tokens.catchUp()
  const answer = at.ask(bearer(stolen!.secret), twoActs)
  await Promise.race([at.asked, answer])
  await revokeAdminToken(at.store, 'stolen')
  await at.gateway.services.tokens.catchUp()
  at.release()
  expect(await answer).toMatchObject({
    data: { slow, late: null },
    errors: [{ path: ['late'], extensions: { code: 'UNAUTHENTICATED' } }],
  })
  expect((await listAdminTokens(at.store)).map(({ id }) => id)).toEqual(['stolen'])
  expect(await at.records()).toContainEqual(
    expect.objectContaining({
      ...lateCreation,
      result: 'REFUSED',
      actor: { kind: 'token', id: 'stolen', role: 'admin' },
      message: 'The token or session has ended.',
    }),
  )
})

test('a session that ends during an act of its operation does no further one', async () => {
  await using at = await start()
  const { adminUrl } = at.gateway
  const begun = await send(adminUrl, { path: '/session', headers: bearer(secrets.first) })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const id = /=([\da-f]+)\./.exec(cookie)![1]
  const answer = at.ask({ cookie, 'x-dragoman-console': '1' }, twoActs)
  await Promise.race([at.asked, answer])
  await at.ask(
    bearer(secrets.other),
    `mutation { endSession(input: { id: "${id}" }) { __typename } }`,
  )
  at.release()
  expect(await answer).toMatchObject({
    data: { slow, late: null },
    errors: [{ path: ['late'], extensions: { code: 'UNAUTHENTICATED' } }],
  })
  expect(await listAdminTokens(at.store)).toEqual([])
})

test('a role that a reload takes during an act permits no further one, and its audit record has the new role', async () => {
  await using at = await start()
  const answer = at.ask(bearer(secrets.first), twoActs)
  await Promise.race([at.asked, answer])
  const { accounts } = at
  await at.gateway.reload({ accounts, admin: { tokens: tokensOf('operator') } })
  at.release()
  expect(await answer).toMatchObject({
    data: { slow, late: null },
    errors: [
      {
        message: 'The role operator does not permit `createAdminToken`.',
        path: ['late'],
        extensions: { code: 'FORBIDDEN' },
      },
    ],
  })
  expect(await listAdminTokens(at.store)).toEqual([])
  expect(await at.records()).toContainEqual(
    expect.objectContaining({
      ...lateCreation,
      result: 'REFUSED',
      actor: { kind: 'token', id: 'first', role: 'operator' },
    }),
  )
})

test('a token that holds does all acts of a slow operation', async () => {
  await using at = await start()
  const answer = at.ask(bearer(secrets.first), twoActs)
  await Promise.race([at.asked, answer])
  at.release()
  expect(await answer).toMatchObject({
    status: 200,
    data: { slow, late: { __typename: 'CreateAdminTokenSuccess' } },
  })
})

test.for([
  ['is removed', tokensOf('admin').slice(1), 401, 'UNAUTHENTICATED'],
  ['loses its role', tokensOf('viewer'), 403, 'FORBIDDEN'],
] as const)('a query ends when its token %s', async ([, tokens, status, code]) => {
  const begun = Promise.withResolvers<void>()
  const slowly = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: { slow: { type: GraphQLString, resolve: slowly } },
  })
  await using gateway = await startAdminGateway({
    schema: new GraphQLSchema({ query }),
    tokens: tokensOf('admin'),
  })
  const answer = send(gateway.adminUrl, operation('{ slow }', bearer(secrets.first)))
  await begun.promise
  await gateway.reload({ admin: { tokens: [...tokens] } })
  expect(await answer).toMatchObject({ status, code })
})
