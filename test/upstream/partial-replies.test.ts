import { type Socket, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { type DialectName, dialectNames, dialects } from '../requests/dialects.ts'
import { form, wholeStream } from '../walks/streams/forms.ts'
import { accountsAt, answerAnything, startService, useOnly } from '../requests/service.ts'

const streamPath = (dialect: DialectName) =>
  dialect === 'generate' ? { path: '/v1beta/models/m:streamGenerateContent?alt=sse' } : {}

const statuses = [204, 205, 206, 207, 226, 300, 301, 302, 304, 307, 308]

describe.each(dialectNames)('%s', (dialect) => {
  test.each(dailyRows(statuses, dialectNames.indexOf(dialect)))(
    'an account that answers with %i has failed',
    async (status) => {
      const body = JSON.stringify(dialects[dialect].reply)
      await using service = await startService({}, (response, request) => {
        const isStream = /stream":true|streamGenerate/.test(String(request.body) + request.url)
        const media = isStream ? 'text/event-stream' : 'application/json'
        const type = { 'content-type': media, location: '/elsewhere' }
        const whole = isStream ? wholeStream(form[dialect]).join('') : body
        response.writeHead(status, type).end(status === 204 || status === 304 ? undefined : whole)
      })
      useOnly(dialect, service)
      // The ranges and conditions of a client reach no account.
      const headers = { range: 'bytes=0-3', 'if-none-match': '"x"' }
      const whole = await service.ask(dialect, {}, { headers })
      expect(whole.status).toBe(502)
      expect(whole.headers.has('location')).toBe(false)
      const streamed = await service.ask(
        dialect,
        { stream: true },
        { headers, ...streamPath(dialect) },
      )
      expect(streamed.status).toBe(502)
      expect(service.upstream.requests).toHaveLength(2)
      expect(service.received().headers).not.toHaveProperty('range')
    },
  )

  test.each([200, 201, 202, 203])('an account may answer with %i', async (status) => {
    await using service = await startService({}, (response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(dialects[dialect].reply))
    })
    useOnly(dialect, service)
    expect((await service.ask(dialect)).status).toBe(status)
  })

  test('the next account answers instead of one that sends a part', async () => {
    await using service = await startService({}, (response, request) => {
      if (request.url.startsWith('/part')) {
        response.writeHead(206, { 'content-type': 'application/json' })
        return void response.end(JSON.stringify(dialects[dialect].reply))
      }
      return answerAnything(response, request)
    })
    const { url } = service.upstream
    const own = accountsAt(url).map((account) => ({ ...account, priority: 1 }))
    const parts = accountsAt(`${url}/part`).map((account) => ({
      ...account,
      id: `${account.id}-part`,
    }))
    service.gateway.reload({ accounts: [...own, ...parts] })
    const answer = await service.ask(dialect)
    expect([answer.status, answer.headers.get('x-dragoman-account')]).toEqual([
      200,
      expect.not.stringContaining('part'),
    ])
    expect(service.upstream.requests.some((request) => request.url.startsWith('/part'))).toBe(true)
  })
})

/** An account that answers with these bytes. */
async function startRaw(reply: string) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('data', () => socket.end(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const body = JSON.stringify(dialects.chat.reply)
const answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

test.each([
  ['HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', 200],
  ['HTTP/1.1 102 Processing\r\n\r\n', 200],
  ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 502],
])('an account that sends %j before its answer gets %i', async (before, status) => {
  await using raw = await startRaw(before + answer)
  await using service = await startService()
  service.gateway.reload({ accounts: accountsAt(raw.url).slice(0, 1) })
  expect((await service.ask('chat')).status).toBe(status)
})

test('a deletion may be answered without content', async () => {
  await using service = await startService({}, (response, { method }) => {
    if (method === 'DELETE') return void response.writeHead(204).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"id":"conv_1","object":"conversation"}')
  })
  const { url, key } = service.gateway
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const create = { method: 'POST', headers, body: '{}' }
  expect((await fetch(`${url}/v1/conversations`, create)).status).toBe(200)
  const remove = { method: 'DELETE', headers: { authorization: `Bearer ${key}` } }
  expect((await fetch(`${url}/v1/conversations/conv_1`, remove)).status).toBe(204)
})
