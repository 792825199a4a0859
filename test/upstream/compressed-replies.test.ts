import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, test } from 'vitest'

import type { Answer } from '../../src/testing/fake-account.ts'
import { accountsAt, startService } from '../requests/service.ts'
import { dialects } from '../requests/dialects.ts'

const codings = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
} as const

type Coding = keyof typeof codings
const names = Object.keys(codings) as Coding[]

/** Sends a body in an encoding that nobody has asked for, in small pieces. */
function encoded(
  encoding: string,
  body: Buffer,
  head: { status?: number; type?: string } = {},
): Answer {
  return (response) => {
    const { status = 200, type = 'application/json' } = head
    response.writeHead(status, { 'content-type': type, 'content-encoding': encoding })
    for (let at = 0; at < body.length; at += 50) response.write(body.subarray(at, at + 50))
    response.end()
  }
}

const reply = JSON.stringify(dialects.chat.reply)

test.each(names)('a reply in %s reaches its client as if it were not', async (coding) => {
  await using service = await startService({}, encoded(coding, codings[coding](reply)))
  const response = await service.ask('chat')
  expect(await response.text()).toBe(reply)
  expect(response.headers.has('content-encoding')).toBe(false)
  expect(service.received().headers['accept-encoding']).toBe('identity')
})

test('a reply in two codings is decoded, one in three is a failure of its account', async () => {
  const twice = brotliCompressSync(gzipSync(reply))
  await using service = await startService({}, encoded('gzip, br', twice))
  expect(await (await service.ask('chat')).text()).toBe(reply)
  await using other = await startService(
    {},
    encoded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(reply)))),
  )
  expect((await other.ask('chat')).status).toBe(502)
})

const frames = [
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'hello' } }] })}\n\n`,
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
  'data: [DONE]\n\n',
].join('')

test.each(names)('a stream in %s reaches its client frame by frame', async (coding) => {
  const answer = encoded(coding, codings[coding](frames), { type: 'text/event-stream' })
  await using service = await startService({}, answer)
  expect(await (await service.ask('chat', { stream: true })).text()).toBe(frames)
})

test.each(names)('a stream in %s is translated', async (coding) => {
  const answer = encoded(coding, codings[coding](frames), { type: 'text/event-stream' })
  await using service = await startService({}, answer)
  service.gateway.reload({
    accounts: [
      {
        id: 'a',
        provider: 'openai-compatible',
        speaks: ['chat'],
        baseUrl: `${service.upstream.url}/v1`,
        models: ['m'],
      },
    ],
  })
  const text = await (await service.ask('messages', { stream: true })).text()
  expect(text).toContain('"text":"hello"')
  expect(text).toContain('message_stop')
})

test.each(names)('a stream in %s that is cut off is a failure, not an end', async (coding) => {
  const whole = codings[coding](frames)
  const answer = encoded(coding, whole.subarray(0, whole.length - 12), {
    type: 'text/event-stream',
  })
  await using service = await startService({}, answer)
  const text = await (await service.ask('chat', { stream: true })).text()
  expect(text).toContain('"error"')
})

test('an error reply that is compressed keeps its message', async () => {
  const body = gzipSync(JSON.stringify({ error: { message: 'the prompt is too odd' } }))
  await using service = await startService({}, encoded('gzip', body, { status: 400 }))
  const response = await service.ask('chat')
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('the prompt is too odd')
})

test('an error reply that cannot be decoded keeps its status alone', async () => {
  const body = Buffer.from('{"error":{"message":"odd"}}')
  for (const encoding of ['gzip', 'lzma']) {
    await using service = await startService({}, encoded(encoding, body, { status: 429 }))
    const response = await service.ask('chat')
    expect(response.status).toBe(429)
    expect(await response.text()).not.toContain('odd')
  }
})

const bad: readonly [string, string, Buffer][] = [
  ['is not in its coding', 'gzip', Buffer.from(reply)],
  ['ends too early', 'gzip', gzipSync(reply).subarray(0, 40)],
  ['has an unknown coding', 'lzma', Buffer.from(reply)],
  ['expands too much', 'gzip', gzipSync(`{"a":"${' '.repeat(20_000_000)}"}`)],
]

test.each(bad)('a reply that %s is that account’s failure', async (_, encoding, body) => {
  await using good = await startService()
  await using service = await startService({}, encoded(encoding, body))
  expect((await service.ask('chat')).status).toBe(502)
  const [first, ...others] = accountsAt(service.upstream.url, ['m'])
  const second = { ...first!, id: 'good', baseUrl: `${good.upstream.url}/v1`, priority: 2 }
  service.gateway.reload({ accounts: [{ ...first!, priority: 1 }, second, ...others.slice(2)] })
  expect((await service.ask('chat')).status).toBe(200)
  expect(good.upstream.requests).toHaveLength(1)
})
