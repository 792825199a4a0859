import { Readable, Transform } from 'node:stream'

import { expect, test } from 'vitest'

import { GatewayError } from '../../src/contract/errors.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import type { Answer } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { accountsAt, answerAnything, startService } from '../requests/service.ts'
import { createGate } from '../walks/streams/scripted.ts'
import { expectError } from './envelope.ts'

const chunk = '{"choices":[{"index":0,"delta":{"content":"hello"},"finish_reason":null}]}'

/** A dialect of somebody else's that cannot even tell an error. */
const speechless: GatewayPlugin = definePlugin({
  name: 'speechless',
  dialects: [
    {
      id: 'speechless',
      credential: () => undefined,
      error: () => {
        throw new Error('no words')
      },
      operations: [
        {
          id: 'speechless.fail',
          method: 'GET',
          paths: ['/speechless'],
          auth: 'none',
          summary: 'Fails',
          serve: () => {
            throw new GatewayError('invalid_value', 'told all the same')
          },
        },
      ],
    },
  ],
})

test('a dialect whose errors fail has them told in the general envelope', async () => {
  await using service = await startService({ plugins: [speechless] })
  const response = await fetch(`${service.gateway.url}/speechless`)
  const { error } = await expectError('general', response, 400)
  expect(error.message).toBe('told all the same')
})

test('a dialect whose claims fail takes no shared path from the others', async () => {
  const [dialect] = speechless.dialects ?? []
  const claiming = definePlugin({
    name: 'claiming',
    dialects: [
      {
        ...dialect!,
        claims: () => {
          throw new Error('no claims')
        },
      },
    ],
  })
  await using service = await startService({ plugins: [claiming] })
  const headers = { authorization: `Bearer ${service.gateway.key}` }
  const models = await fetch(`${service.gateway.url}/v1/models`, { headers })
  expect(models.status).toBe(200)
  const unknown = await fetch(`${service.gateway.url}/nowhere`, { headers })
  await expectError('general', unknown, 404)
  expect(JSON.stringify(service.gateway.log)).toContain('no claims')
})

test('a callback that fails when the client leaves keeps nobody from knowing', async () => {
  const plugin = definePlugin({
    name: 'careless',
    onCall({ exchange, next }) {
      exchange.client.onGone(() => {
        throw new Error('careless')
      })
      return next()
    },
  })
  await using service = await startService({ plugins: [plugin] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`data: ${chunk}\n\n`)
  })
  const leaving = new AbortController()
  const response = await service.ask('chat', { stream: true }, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ stream_end: 'client_gone' })
  await until(() => service.received().aborted)
  await until(() => JSON.stringify(service.gateway.log).includes('careless'))
})

/** The obvious way to rewrite a stream. */
function piping(): GatewayPlugin {
  return definePlugin({
    name: 'shouting',
    async onCall({ next }): Promise<Reply> {
      const reply = await next()
      const shout = new Transform({
        transform: (bytes: Buffer, _encoding, done) => done(null, bytes.toString().toUpperCase()),
      })
      if (!(reply.body instanceof Readable)) return reply
      return { ...reply, body: reply.body.pipe(shout) }
    },
  })
}

test('a stream that a plugin pipes on arrives rewritten', async () => {
  await using service = await startService({ plugins: [piping()] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const last = chunk.replace('null', '"stop"')
    response.end(`data: ${chunk}\n\ndata: ${last}\n\ndata: [DONE]\n\n`)
  })
  const text = await (await service.ask('chat', { stream: true })).text()
  expect(text).toContain('"CONTENT":"HELLO"')
})

test('a stream that a plugin pipes on and that must be reset is reset', async () => {
  await using service = await startService({ plugins: [piping()] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"candidates":[{"content":{"parts":[{"text":"hi"}]}}]}\n\n', () =>
      response.destroy(),
    )
  })
  const path = '/v1beta/models/m:streamGenerateContent?alt=sse'
  const response = await service.ask('generate', {}, { path })
  await expect(response.text()).rejects.toThrow()
  await service.gateway.logged(1)
  expect(service.gateway.gateway.inflight()).toBe(0)
})

test('every request of a hook that sends several ends when the client leaves', async () => {
  const plugin = definePlugin({
    name: 'twice',
    async onAttempt({ next }) {
      await next().catch(() => {})
      return next()
    },
  })
  let asked = 0
  await using service = await startService({ plugins: [plugin] }, (response) => {
    if (++asked === 1) response.writeHead(500).end()
    else
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${chunk}\n\n`)
  })
  const leaving = new AbortController()
  const response = await service.ask('chat', { stream: true }, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await until(() => service.upstream.requests[1]?.aborted === true)
})

test('a request that a hook has given up waiting for is let go', async () => {
  const plugin = definePlugin({
    name: 'impatient',
    onAttempt({ next }) {
      void next().catch(() => {})
      throw new GatewayError('upstream_timeout', 'too slow for me')
    },
  })
  await using service = await startService({ plugins: [plugin] }, () => {})
  await expectError('chat', await service.ask('chat'), 504)
  await service.gateway.logged(1)
  expect(service.gateway.gateway.inflight()).toBe(0)
})

test('a request that a hook sends when its reply has come reaches no account, and frees no slot', async () => {
  const late = Promise.withResolvers<unknown>()
  const running = createGate()
  const plugin = definePlugin({
    name: 'shadow',
    async onAttempt({ exchange, next }) {
      const reply = await next()
      if (exchange.request.headers['x-shadow'])
        void running.opened.then(() => next()).then(late.resolve, late.resolve)
      return reply
    },
  })
  const held = createGate()
  let asked = 0
  const answer: Answer = async (response, request) => {
    if (++asked === 2) await held.opened
    await answerAnything(response, request)
  }
  await using service = await startService({ plugins: [plugin] }, answer)
  const [account] = accountsAt(service.upstream.url)
  service.gateway.reload({ accounts: [{ ...account!, maxConcurrent: 1 }] })

  expect((await service.ask('chat', {}, { headers: { 'x-shadow': '1' } })).status).toBe(200)
  const second = service.ask('chat')
  await until(() => asked === 2)
  running.open()
  expect(String(await late.promise)).toContain('next() too late')
  expect((await service.ask('chat')).status).toBe(429)
  held.open()
  expect((await second).status).toBe(200)
  expect(asked).toBe(2)
})

test.each(['onExchange', 'onCall'] as const)(
  'an %s that goes on behind its own answer begins no call, which its key would have for ever',
  async (hook) => {
    const late: unknown[] = []
    const own = { status: 200, headers: {}, body: '{}' }
    const ended = createGate()
    const plugin = definePlugin({
      name: 'late',
      [hook]({ next }: { next: () => Promise<unknown> }) {
        void ended.opened.then(next).catch((error: unknown) => late.push(error))
        return own
      },
      onEnd: () => ended.open(),
    })
    const limits = { callsPerKey: 1 }
    await using service = await startService({ plugins: [plugin], limits })
    expect((await service.ask('chat')).status).toBe(200)
    await until(() => late.length === 1)
    expect(String(late)).toContain('next() too late')
    expect(service.upstream.requests).toEqual([])
    expect(service.gateway.gateway.inflight()).toBe(0)
  },
)

test.each(['onExchange', 'onCall'] as const)(
  'a call whose %s has answered ends once, when the accounts that it left behind have',
  async (hook) => {
    const attempts: number[] = []
    const own = { status: 200, headers: {}, body: '{"own":true}' }
    const plugin = definePlugin({
      name: 'refreshing',
      [hook]({ next }: { next: () => Promise<unknown> }) {
        void next().catch(() => {})
        return own
      },
      onEnd: ({ exchange }) => void attempts.push(exchange.progress.attempts),
    })
    await using service = await startService({ plugins: [plugin] }, (response) => {
      response.writeHead(500).end()
    })
    expect(await (await service.ask('chat')).json()).toEqual({ own: true })
    await until(() => attempts.length > 0)
    expect(service.gateway.gateway.inflight()).toBe(0)
    expect(attempts).toEqual([3])
    expect(service.upstream.requests).toHaveLength(3)
  },
)
