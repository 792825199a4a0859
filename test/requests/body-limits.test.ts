import { connect } from 'node:net'

import { expect, test } from 'vitest'

import { defaultLimits } from '../../src/contract/limits.ts'
import { type DialectName, dialectNames } from './dialects.ts'
import { startService } from './service.ts'

const limit = 2_000

/** A chat request of exactly this many bytes. */
function requestOf(bytes: number): string {
  const [before, after] = ['{"model":"m","messages":[{"role":"user","content":"', '"}]}']
  return before + 'x'.repeat(bytes - before.length - after.length) + after
}

const tooLarge: Record<DialectName, object> = {
  responses: { error: { code: 413, type: 'invalid_request_error' } },
  chat: { error: { code: 413, type: 'invalid_request_error' } },
  messages: { type: 'error', error: { code: 413, type: 'request_too_large' } },
  generate: { error: { code: 413, status: 'INVALID_ARGUMENT' } },
}

test.each(dialectNames)('%s: a body above the limit is answered 413', async (dialect) => {
  await using service = await startService({ limits: { jsonBodyBytes: limit } })
  const response = await service.ask(dialect, { filler: 'x'.repeat(limit) })
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject(tooLarge[dialect])
  expect(service.upstream.requests).toEqual([])
})

test('the limit itself may be reached, whether or not the length is told', async () => {
  await using service = await startService({ limits: { jsonBodyBytes: limit } })
  for (const [bytes, status] of [
    [limit, 200],
    [limit + 1, 413],
  ] as const) {
    const body = requestOf(bytes)
    expect((await service.post('chat', body)).status).toBe(status)
    expect((await service.post('chat', new Blob([body]).stream())).status).toBe(status)
  }
})

test('64 MiB is the limit unless the configuration says otherwise', async () => {
  expect(defaultLimits.jsonBodyBytes).toBe(64 * 1024 * 1024)
  await using service = await startService()
  const body = requestOf(20 * 1024 * 1024)
  expect((await service.post('chat', body)).status).toBe(200)
  expect(service.received().body.length).toBe(body.length)
  const headers = { 'content-length': String(64 * 1024 * 1024 + 1) }
  expect(await headOfAnswer(service.gateway.url, headers, service.gateway.key)).toContain(' 413 ')
})

/** What a client gets that has sent nothing but headers. */
async function headOfAnswer(url: string, headers: Record<string, string>, key: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ host: 'g', authorization: `Bearer ${key}`, ...headers })
  const head = lines.map((line) => line.join(': ')).join('\r\n')
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\n${head}\r\n\r\n`)
  for await (const chunk of socket) {
    socket.destroy()
    return String(chunk)
  }
  return ''
}
