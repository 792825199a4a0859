import { type ClientRequest, type IncomingMessage, request } from 'node:http'

import {
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import { expect, test } from 'vitest'

import type { Role } from '../../../src/admin/roles.ts'
import { createAdminToken, revokeAdminToken } from '../../../src/stores/admin-tokens.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type AdminGateway, startAdminGateway } from '../admin-gateway.ts'
import { operation, persisted, send } from './send.ts'

/** A schema with a subscription that says when it begins and ends. */
function countingSchema(generators: { open: number; ended: number }): GraphQLSchema {
  async function* count() {
    generators.open++
    try {
      for (let number = 0; ; number++) {
        yield { count: number }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } finally {
      generators.open--
      generators.ended++
    }
  }
  const query = new GraphQLObjectType({ name: 'Query', fields: { id: { type: GraphQLString } } })
  const subscription = new GraphQLObjectType({
    name: 'Subscription',
    fields: {
      count: { type: new GraphQLNonNull(GraphQLInt), subscribe: count },
      fails: {
        type: GraphQLString,
        async *subscribe() {
          yield { fails: 'first' }
          throw new Error('cause-canary')
        },
      },
      defect: {
        type: GraphQLString,
        async *subscribe() {
          yield {}
        },
        resolve: () => {
          throw new Error('cause-canary')
        },
      },
    },
  })
  return new GraphQLSchema({ query, subscription })
}

interface Stream {
  readonly answer: IncomingMessage
  readonly sent: ClientRequest
  /** Resolves when the text has arrived. */
  until(text: string): Promise<string>
  readonly ended: Promise<void>
}

/** Opens an answer as server-sent events. */
function open(
  gateway: AdminGateway,
  headers: Record<string, string>,
  query: string,
): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.adminUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      let text = ''
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        answer.emit('text')
      })
      answer.on('error', () => {}).on('close', () => end())
      resolve({
        answer,
        sent,
        ended,
        until: (wanted) =>
          new Promise((arrived) => {
            const look = () => text.includes(wanted) && arrived(text)
            answer.on('text', look).on('close', () => arrived(text))
            look()
          }),
      })
    })
    sent.end('cookie' in headers ? persisted(query, {}).body : JSON.stringify({ query }))
  })
}

const count = 'subscription { count }'

test('a subscription is answered as events that no proxy holds back, and ends with its client', async () => {
  const generators = { open: 0, ended: 0 }
  await using gateway = await startAdminGateway({ schema: countingSchema(generators) })
  const authorization = `Bearer ${gateway.token('viewer')}`
  const stream = await open(gateway, { authorization }, count)
  expect(stream.answer.statusCode).toBe(200)
  expect(stream.answer.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'x-accel-buffering': 'no',
    'cache-control': 'no-store',
  })
  expect(stream.answer.headers['content-encoding']).toBeUndefined()
  expect(await stream.until('"count":3')).toContain('event: next')
  expect(generators.open).toBe(1)
  stream.sent.destroy()
  await expect.poll(() => generators).toEqual({ open: 0, ended: 1 })
})

test('a process has a limited number of streams, and one that ends makes room', async () => {
  const generators = { open: 0, ended: 0 }
  await using gateway = await startAdminGateway({
    schema: countingSchema(generators),
    adminLimits: { streams: 6 },
  })
  const authorization = `Bearer ${gateway.token('viewer')}`
  const streams = await Promise.all(
    Array.from({ length: 6 }, () => open(gateway, { authorization }, count)),
  )
  expect(streams.map(({ answer }) => answer.statusCode)).toEqual(streams.map(() => 200))
  const refused = await open(gateway, { authorization }, count)
  expect([refused.answer.statusCode, refused.answer.headers['retry-after']]).toEqual([503, '5'])
  // Answers that are no streams have no limit in common with them.
  const plain = await send(gateway.adminUrl, operation('{ id }', { authorization }))
  expect(plain.status).toBe(200)
  streams[0]!.sent.destroy()
  await expect
    .poll(async () => (await open(gateway, { authorization }, count)).answer.statusCode)
    .toBe(200)
  for (const { sent } of streams) sent.destroy()
})

test('one token with its sessions leaves streams to the others', async () => {
  const generators = { open: 0, ended: 0 }
  await using gateway = await startAdminGateway({ schema: countingSchema(generators) })
  const authorization = `Bearer ${gateway.token('viewer')}`
  const begun = await send(gateway.adminUrl, { path: '/session', headers: { authorization } })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const own = { cookie, 'x-dragoman-console': '1' }
  const opened = []
  for (let index = 0; index < 8; index++)
    opened.push(await open(gateway, index % 2 ? own : { authorization }, count))
  expect(opened.map(({ answer }) => answer.statusCode)).toEqual(opened.map(() => 200))
  for (const headers of [own, { authorization }]) {
    const refused = await open(gateway, headers, count)
    expect(refused.answer.statusCode).toBe(503)
    // The ninth tab says what helps.
    expect(JSON.parse(await refused.until('}]}'))).toEqual({
      errors: [
        {
          message: 'Too many streams of this token or user are open: close a tab.',
          extensions: { code: 'TOO_MANY_STREAMS' },
        },
      ],
    })
  }
  const other = { authorization: `Bearer ${gateway.token('operator')}` }
  opened.push(await open(gateway, other, count))
  expect(opened.at(-1)!.answer.statusCode).toBe(200)
  opened[0]!.sent.destroy()
  await expect
    .poll(async () => (await open(gateway, own, count)).answer.statusCode, { timeout: 5_000 })
    .toBe(200)
  for (const { sent } of opened) sent.destroy()
})

test('a stream ends with its session, and with its token', { timeout: 20_000 }, async () => {
  const generators = { open: 0, ended: 0 }
  const secret = 'dga_one-secret-of-a-token-with-streams-00'
  const tokens = [{ id: 'one', role: 'viewer' as Role, secret }]
  // The time stands still, so that an address which has guessed too often stays one.
  const uptime = () => 0
  const schema = countingSchema(generators)
  await using gateway = await startAdminGateway({ schema, tokens, uptime })
  const authorization = `Bearer ${secret}`
  const begun = await send(gateway.adminUrl, { path: '/session', headers: { authorization } })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const own = { cookie, 'x-dragoman-console': '1' }
  const byToken = await open(gateway, { authorization }, count)
  const bySession = await open(gateway, own, count)
  await byToken.until('"count":1')
  await bySession.until('"count":1')
  // An address that has guessed too often keeps no stream by it.
  const guess = operation('{ id }', { authorization: 'Bearer dga_guess' })
  const guesses = Array.from({ length: 25 }, () => send(gateway.adminUrl, guess))
  expect((await Promise.all(guesses)).map(({ status }) => status)).toContain(429)
  await send(gateway.adminUrl, { method: 'DELETE', path: '/session', headers: own })
  await bySession.ended
  await expect.poll(() => generators).toEqual({ open: 1, ended: 1 })
  gateway.reconfigure({ adminTokens: [] })
  await byToken.ended
  await expect.poll(() => generators).toEqual({ open: 0, ended: 2 })
})

test('a stream ends when its token loses the role that it began with', async () => {
  const generators = { open: 0, ended: 0 }
  const secret = 'dga_one-secret-of-a-token-with-streams-00'
  const tokensOf = (role: Role) => [{ id: 'one', role, secret }]
  const schema = countingSchema(generators)
  await using gateway = await startAdminGateway({ schema, tokens: tokensOf('operator') })
  const stream = await open(gateway, { authorization: `Bearer ${secret}` }, count)
  await stream.until('"count":1')
  await gateway.reload({ admin: { tokens: tokensOf('admin') } })
  await gateway.reload({ admin: { tokens: tokensOf('viewer') } })
  await stream.ended
  await expect.poll(() => generators).toEqual({ open: 0, ended: 1 })
})

test('an open stream does not prolong its session', { timeout: 30_000 }, async () => {
  let at = Date.now()
  const generators = { open: 0, ended: 0 }
  await using gateway = await startAdminGateway({
    schema: countingSchema(generators),
    now: () => at,
  })
  const authorization = `Bearer ${gateway.token('viewer')}`
  const begun = await send(gateway.adminUrl, { path: '/session', headers: { authorization } })
  const cookie = String(begun.headers['set-cookie']).split(';')[0]!
  const stream = await open(gateway, { cookie, 'x-dragoman-console': '1' }, count)
  await stream.until('"count":1')
  // Several questions whether the session holds come before it is over.
  const clock = setInterval(() => (at += 22_500), 50)
  await stream.ended
  clearInterval(clock)
  expect(at - Date.now()).toBeLessThan(11 * 60 * 60_000)
})

test('the cause of a defect in a stream goes to the log', async () => {
  await using gateway = await startAdminGateway({
    schema: countingSchema({ open: 0, ended: 0 }),
  })
  const authorization = `Bearer ${gateway.token('viewer')}`
  for (const query of ['subscription { fails }', 'subscription { defect }']) {
    const stream = await open(gateway, { authorization }, query)
    const text = await stream.until('event: complete')
    expect(text).toContain('INTERNAL_SERVER_ERROR')
    expect(text).not.toContain('cause-canary')
  }
  const logged = gateway.log.filter(({ error }) => error === 'Error: cause-canary')
  expect(logged.length).toBe(2)
})

test('an export of the audit log ends with its token', { timeout: 20_000 }, async () => {
  const store = openMemoryStore()
  const hung = Promise.withResolvers<never>()
  const asked = Promise.withResolvers<void>()
  const isHung = { is: false }
  const records: Store['records'] = <T>(name: string, options?: { listed?: boolean }) => {
    const opened = store.records<T>(name, options)
    const list: typeof opened.list = (page) => {
      if (!isHung.is || name !== 'audit') return opened.list(page)
      asked.resolve()
      return hung.promise
    }
    return { ...opened, list }
  }
  const issued = await createAdminToken(store, { id: 'own', role: 'viewer', createdBy: 'test' })
  await using gateway = await startAdminGateway({ store: { ...store, records } })
  isHung.is = true
  const headers = { authorization: `Bearer ${issued!.secret}` }
  const answer = fetch(`${gateway.adminUrl}/audit.ndjson`, { headers }).catch(() => 'ended')
  await asked.promise
  await revokeAdminToken(store, 'own')
  expect(await answer).toBe('ended')
  hung.reject(new Error('It is over.'))
})
