import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import type { TestGatewayOptions } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { dialects } from './dialects.ts'
import { answerAnything, startService, type Service } from './service.ts'

const MiB = 1024 * 1024

const keys = ['greedy', 'other'].map((id) => ({ id, secret: `${id}-secret` }))

/** A gateway with little memory, whose account answers when it is told to. */
async function startSmall(options: TestGatewayOptions = {}) {
  const gate = Promise.withResolvers<void>()
  const service = await startService(
    { keys, ...options, limits: { memoryBytes: 8 * MiB, ...options.limits } },
    async (response, request) => {
      if (request.headers['x-stainless-waits'] === 'yes') await gate.promise
      await answerAnything(response, request)
    },
  )
  return Object.assign(service, {
    open: () => gate.resolve(),
    held: () => service.gateway.gateway.held(),
  })
}

const body = (bytes: number) =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(bytes) }] })

function headersOf(keyId: string, waits = 'no'): Record<string, string> {
  return { authorization: `Bearer ${keyId}-secret`, 'x-stainless-waits': waits }
}

test('memory returns after a reply, an error, a stream and a client that leaves', async () => {
  await using service = await startSmall()
  const large = body(MiB)
  const headers = headersOf('greedy')
  expect((await service.post('chat', large, { headers })).status).toBe(200)
  expect((await service.post('chat', `${large}x`, { headers })).status).toBe(400)
  expect((await service.post('chat', large.replace('"m"', '"n"'), { headers })).status).toBe(200)
  const cut = { headers: { ...headers, 'content-encoding': 'gzip' } }
  expect((await service.post('chat', large, cut)).status).toBe(400)
  await until(() => service.held() === 0)

  const leaving = new AbortController()
  const left = service.post('chat', large, {
    headers: headersOf('greedy', 'yes'),
    signal: leaving.signal,
  })
  await until(() => service.upstream.requests.at(-1)?.headers['x-stainless-waits'] === 'yes')
  expect(service.held()).toBeGreaterThan(MiB)
  leaving.abort()
  await expect(left).rejects.toThrow()
  await until(() => service.held() === 0)
})

test('a body that is not needed any more is let go before its reply ends', async () => {
  await using service = await startService({ limits: { memoryBytes: 8 * MiB } }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"hello"}}]}\n\n')
  })
  const response = await service.ask('chat', {
    stream: true,
    messages: [{ role: 'user', content: 'x'.repeat(MiB) }],
  })
  const { value } = await response.body!.getReader().read()
  expect(String(Buffer.from(value as Uint8Array))).toContain('hello')
  expect(service.gateway.gateway.held()).toBe(0)
})

test('a native stream does not keep the parsed body of its request', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let parsed: WeakRef<object> | undefined
  const plugin = definePlugin({
    name: 'watcher',
    onCall({ exchange, next }) {
      parsed = new WeakRef(exchange.body.json['messages'] as object)
      return next()
    },
  })
  await using service = await startService({ plugins: [plugin] }, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"id":"c","choices":[{"index":0,"delta":{"content":"hello"}}]}\n\n')
  })
  const messages = [{ role: 'user', content: 'x'.repeat(MiB) }]
  const response = await service.ask('chat', { stream: true, messages })
  await response.body!.getReader().read()
  expect(parsed).toBeDefined()
  await until(() => {
    collect()
    return parsed?.deref() === undefined
  })
})

test('small bodies whose account is silent do not keep their parsed values', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const parsed: WeakRef<object>[] = []
  const plugin = definePlugin({
    name: 'watcher',
    onCall({ exchange, next }) {
      const { padding } = exchange.body.json
      if (padding) parsed.push(new WeakRef(padding))
      return next()
    },
  })
  await using service = await startSmall({ plugins: [plugin], limits: { memoryBytes: 64 * MiB } })
  const padding = `[${'{},'.repeat(21_000)}{}]`
  const bytes = gzipSync(body(1).replace('{', `{"padding":${padding},`))
  expect(bytes.length).toBeLessThan(300)
  const headers = { ...headersOf('greedy', 'yes'), 'content-encoding': 'gzip' }
  const times = 60
  const asked = Array.from({ length: times }, () =>
    service.post('chat', bytes, { headers, withinMs: 60_000 }),
  )
  await until(() => service.upstream.requests.length >= times)
  await until(() => {
    collect()
    return parsed.length === times && parsed.every((value) => value.deref() === undefined)
  })
  const other = await service.post('chat', body(1_000), { headers: headersOf('other') })
  expect(other.status).toBe(200)
  service.open()
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
  await until(() => service.held() === 0)
})

test('small replies and frames that stop half way count', async () => {
  for (const stream of [false, true]) {
    await using service = await startService(
      { keys, limits: { memoryBytes: 4 * MiB } },
      (response) => {
        response.writeHead(200, {
          'content-type': stream ? 'text/event-stream' : 'application/json',
        })
        response.write(`${stream ? 'data: ' : ''}{"x":"${'x'.repeat(50_000)}`)
      },
    )
    const leaving = new AbortController()
    const { signal } = leaving
    const asked = Array.from({ length: 12 }, () =>
      service.ask('chat', { stream }, { headers: headersOf('greedy'), signal }),
    )
    for (const one of asked) one.catch(() => {})
    // What is free of one key has 512 KiB.
    await until(() => service.gateway.gateway.held() > 500_000)
    leaving.abort()
    await until(() => service.gateway.gateway.held() === 0)
  }
})

test.each(['chat', 'responses', 'messages', 'generate'] as const)(
  'a key with too many calls in progress is told to come again, and others are served: %s',
  async (dialect) => {
    await using service = await startSmall({ limits: { callsPerKey: 3 } })
    const ask = (key: string, waits?: 'yes') =>
      service.ask(
        dialect,
        {},
        {
          headers: { ...dialects[dialect].credential(`${key}-secret`), 'x-stainless-waits': waits },
          withinMs: 60_000,
        },
      )
    const waiting = Array.from({ length: 3 }, () => ask('greedy', 'yes'))
    await until(() => service.upstream.requests.length === 3)
    const refused = await ask('greedy')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(JSON.stringify(await refused.json())).toContain('calls in progress')
    expect((await ask('other')).status).toBe(200)
    service.open()
    for (const reply of await Promise.all(waiting)) await reply.text()
    expect((await ask('greedy')).status).toBe(200)
  },
)

test('a small body may not expand beyond the ratio either', async () => {
  await using service = await startSmall()
  const headers = { ...headersOf('greedy'), 'content-encoding': 'gzip' }
  const bomb = gzipSync(body(MiB))
  expect((await service.post('chat', bomb, { headers })).status).toBe(413)
})

test('one key that holds its share keeps nobody else from theirs', async () => {
  await using service = await startSmall()
  const asked = Array.from({ length: 20 }, () =>
    service.post('chat', body(0.9 * MiB), {
      headers: headersOf('greedy', 'yes'),
      withinMs: 60_000,
    }),
  )
  await until(() => service.upstream.requests.length > 0)
  const other = await service.post('chat', body(0.9 * MiB), { headers: headersOf('other') })
  expect(other.status).toBe(200)
  service.open()
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  await until(() => service.held() === 0)
})

test('one that finds no room in time is told to come again, in its own dialect', async () => {
  await using service = await startSmall()
  const asked = Array.from({ length: 4 }, () =>
    service.post('chat', body(1.9 * MiB), {
      headers: headersOf('greedy', 'yes'),
      withinMs: 60_000,
    }),
  )
  const done = await Promise.race(asked)
  expect(done.status).toBe(503)
  expect(done.headers.get('retry-after')).toBe('5')
  expect(await done.json()).toMatchObject({
    error: { code: 503, details: [{ code: 'memory_full' }] },
  })
  service.open()
  await Promise.all(asked)
  await until(() => service.held() === 0)
}, 30_000)

test('a body that is larger than all memory passes where it is alone', async () => {
  await using service = await startSmall()
  expect(
    (await service.post('chat', body(12 * MiB), { headers: headersOf('greedy') })).status,
  ).toBe(200)
})

test('bodies that stop half way hold no more than the share of their key', async () => {
  await using service = await startSmall()
  const sockets = Array.from({ length: 30 }, () => stopHalfWay(service, 'greedy', 1.5 * MiB))
  await until(() => service.held() > 0)
  expect((await service.post('chat', body(MiB), { headers: headersOf('other') })).status).toBe(200)
  expect(service.held()).toBeLessThanOrEqual(4 * MiB)
  for (const socket of sockets) socket.destroy()
  await until(() => service.held() === 0)
})

/** A client that announces a body and sends a part of it. */
function stopHalfWay({ gateway }: Service, keyId: string, bytes: number) {
  const { hostname, port } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\nauthorization: Bearer ${keyId}-secret\r\ncontent-length: ${bytes}\r\n\r\n`,
  )
  socket.write('x'.repeat(100_000))
  return socket
}

test('a large reply is counted, and its memory returns', async () => {
  const content = 'x'.repeat(2 * MiB)
  const reply = JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
  })
  const rest = Promise.withResolvers<void>()
  await using service = await startService({}, async (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(reply.slice(0, MiB))
    await rest.promise
    response.end(reply.slice(MiB))
  })
  const asked = service.ask('chat')
  await until(() => service.gateway.gateway.held() >= MiB)
  rest.resolve()
  expect((await (await asked).text()) === reply).toBe(true)
  await until(() => service.gateway.gateway.held() === 0)
})
