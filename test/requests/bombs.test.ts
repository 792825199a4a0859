import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { dialectNames, dialects } from './dialects.ts'
import { startService } from './service.ts'

const MiB = 1024 * 1024

/** More than a body may have to be parsed without being measured. */
const long = 'x'.repeat(70_000)

const shapes = {
  'too many values': [413, `[${'{},'.repeat(260_000)}1]`],
  'too deep nesting': [400, '['.repeat(50_000) + ']'.repeat(50_000)],
  'too deep nesting in a small body': [400, '['.repeat(300) + ']'.repeat(300)],
  'a number without end': [400, '1'.repeat(100_000)],
  'a syntax error behind a long text': [400, `["${long}",]`],
} as const

for (const [what, [status, value]] of Object.entries(shapes)) {
  test.each(dialectNames)(`%s: ${what} is refused before anybody is asked`, async (dialect) => {
    await using service = await startService()
    const body = JSON.stringify(dialects[dialect].request).replace(/\}$/, `,"other":${value}}`)
    const response = await service.post(dialect, body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: {} })
    expect(service.upstream.requests).toEqual([])
    expect(service.gateway.gateway.held()).toBe(0)
  })
}

const codings = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }

test.each(Object.keys(codings) as (keyof typeof codings)[])(
  'a body that grows too much in %s is refused while it is decompressed',
  async (coding) => {
    await using service = await startService()
    const bomb = Buffer.from(codings[coding](`{"model":"m","messages":"${' '.repeat(20 * MiB)}"}`))
    const response = await service.post('chat', bomb, { headers: { 'content-encoding': coding } })
    expect(response.status).toBe(413)
    expect(await response.text()).toContain('more than 100 times')
  },
)

test('what grows by little passes, however large it is', async () => {
  await using service = await startService()
  const content = Array.from({ length: 300_000 }, (_, at) => String(at * 7_919)).join(' ')
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  const headers = { 'content-encoding': 'gzip' }
  expect((await service.post('chat', gzipSync(body), { headers })).status).toBe(200)
  expect(service.received().body.toString() === body).toBe(true)
})

test('a body has at most two codings, which have one limit together', async () => {
  await using service = await startService({ limits: { jsonBodyBytes: 1_000_000 } })
  const body = JSON.stringify(dialects.chat.request)
  const times = (count: number, text: string) =>
    Array.from({ length: count }).reduce<Buffer>((inner) => gzipSync(inner), Buffer.from(text))
  const ask = async (count: number, text: string) => {
    const headers = { 'content-encoding': Array(count).fill('gzip').join(', ') }
    return (await service.post('chat', Buffer.from(times(count, text)), { headers })).status
  }
  expect(await ask(2, body)).toBe(200)
  expect(await ask(3, body)).toBe(415)
  expect(await ask(61, body)).toBe(415)
  const noise = Array.from({ length: 70_000 }, (_, at) => (at * 2_654_435_761).toString(36)).join(
    '',
  )
  const large = JSON.stringify({ model: 'm', messages: noise.slice(0, 700_000) })
  expect(gzipSync(large).length).toBeGreaterThan(300_000)
  expect(await ask(2, large)).toBe(413)
})

test('a large body passes byte for byte, and translated', async () => {
  await using service = await startService()
  const content = 'é"\\\u0000'.repeat(400_000)
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] })
  expect((await service.post('chat', body)).status).toBe(200)
  expect(service.received().body.toString() === body).toBe(true)
  service.gateway.reload({
    accounts: [
      { id: 'a', provider: 'anthropic', baseUrl: service.upstream.url, apiKey: 'k', models: ['m'] },
    ],
  })
  expect((await service.post('chat', body)).status).toBe(200)
  const sent = JSON.parse(service.received().body.toString()) as { messages: unknown }
  expect(JSON.stringify(sent.messages)).toContain(JSON.stringify(content))
  expect(service.gateway.gateway.held()).toBe(0)
})

test('a large body of a foreign history fails over to an account of its own dialect and back', async () => {
  await using service = await startService({}, (response, request) => {
    const isFirst = request.url.startsWith('/v1/chat')
    response.writeHead(isFirst ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isFirst ? {} : dialects.messages.reply))
  })
  const messages = [{ role: 'user', content: long }]
  expect((await service.ask('chat', { messages })).status).toBe(200)
  // Of the two foreign accounts, which come in any order, only one understands its reply.
  const urls = service.upstream.requests.map(({ url }) => url)
  expect([urls.at(0), urls.at(-1)]).toEqual(['/v1/chat/completions', '/v1/messages'])
  expect(service.received().body.toString()).toContain(long)
})

test.each(dialectNames)('%s: a large body for an unknown model is not parsed', async (dialect) => {
  const keys = [{ id: 'test', secret: 'test-secret', models: ['m'] }]
  await using service = await startService({ keys })
  // Parsing would find the fault.
  const body = JSON.stringify({ ...dialects[dialect].request, model: 'forbidden', other: long })
  const path = '/v1beta/models/forbidden:generateContent'
  const at = dialect === 'generate' ? { path } : {}
  const response = await service.post(dialect, body.replace('xxx', '\\q'), at)
  expect(response.status).toBe(404)
  expect(await response.text()).toContain('forbidden')
  const [line] = await service.gateway.logged(1)
  expect(line).toMatchObject({ model_requested: 'forbidden' })
})

test('tool calls hide no more JSON in their arguments than a body may have', async () => {
  await using service = await startService()
  service.gateway.reload({
    accounts: [
      { id: 'a', provider: 'anthropic', baseUrl: service.upstream.url, apiKey: 'k', models: ['m'] },
    ],
  })
  const call = {
    id: 'c',
    type: 'function',
    function: { name: 'f', arguments: `{"a":[${'[],'.repeat(10_000)}[]]}` },
  }
  const ask = (count: number) =>
    service.ask('chat', {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', tool_calls: Array.from({ length: count }, () => call) },
        { role: 'tool', tool_call_id: 'c', content: 'r' },
      ],
    })
  expect((await ask(20)).status).toBe(200)
  expect((await ask(30)).status).toBe(413)
})
