import { connect } from 'node:net'

import { describe, expect, test } from 'vitest'

import { definePlugin } from '../../src/contract/plugin.ts'
import { startService } from '../requests/service.ts'
import { sendRaw } from './raw.ts'

/** With an edge plugin, requests take another way into the gateway. */
const ways = {
  directly: () => startService(),
  'through edge plugins': () => {
    const plugin = definePlugin({ name: 'edge', http: { onRequest() {}, onResponse() {} } })
    return startService({ plugins: [plugin] })
  },
}

const odd: [string, string][] = [
  ['OPTIONS * HTTP/1.1', 'host: g'],
  ['OPTIONS / HTTP/1.1', 'host: g'],
  ['GET http://evil.example/v1/nowhere HTTP/1.1', 'host: g'],
  ['GET http://user:secret@evil.example/nowhere HTTP/1.1', 'host: g'],
  ['GET //other.example/v1/models HTTP/1.1', 'host: g'],
  ['GET /v1/models/../../etc/passwd HTTP/1.1', 'host: g'],
  ['GET /%00 HTTP/1.1', 'host: g'],
  ['GET /%zz HTTP/1.1', 'host: g'],
  ['GET /nowhere?%zz HTTP/1.1', 'host: g'],
  ['GET /nowhere#fragment HTTP/1.1', 'host: g'],
  ['GET /nowhere HTTP/1.1', 'host: '],
  ['GET /nowhere HTTP/1.1', 'host: [::1]:8787'],
  ['GET /nowhere HTTP/1.1', 'host: g:'],
  ['GET /nowhere HTTP/1.1', 'host: my_host.example:80'],
  ['GET /nowhere HTTP/1.0', 'x-old: client'],
  ['PROPFIND /nowhere HTTP/1.1', 'host: g'],
  ['TRACE /nowhere HTTP/1.1', 'host: g\r\nx-canary: secret'],
]

describe.each(Object.entries(ways))('%s', (_, start) => {
  test.each(odd)('%s with "%s" gets a clean 404', async (line, header) => {
    await using service = await start()
    const answer = await sendRaw(service.gateway.url, `${line}\r\n${header}\r\n\r\n`)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toMatchObject({
      error: { code: 404, type: 'invalid_request_error', details: [{ code: 'not_found' }] },
    })
    expect(answer.head).toMatch(/^x-request-id: req_/im)
    expect(answer.head + answer.body).not.toMatch(/secret|evil|node_modules|at \w+ \(/)
  })

  test('what is no HTTP at all ends its own connection only', async () => {
    await using service = await start()
    const { hostname, port } = new URL(service.gateway.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.write('\u0016\u0003\u0001 what is this?\r\n\r\n')
    await closed
    expect(received).not.toMatch(/node_modules|at \w+ \(/)
    expect((await service.ask('chat')).status).toBe(200)
  })
})

test.each(['..', '.', '%2e%2e', 'a%00b', 'a%0d%0ab', '%3Fkey=x', '%23'])(
  'a model called %s reaches no other place of its account',
  async (model) => {
    await using service = await startService()
    const line = `POST /v1beta/models/${model}:generateContent HTTP/1.1`
    const body = '{"contents":[{"parts":[{"text":"hi"}]}]}'
    const head = `host: g\r\nx-goog-api-key: ${service.gateway.key}\r\ncontent-length: ${body.length}`
    await sendRaw(service.gateway.url, `${line}\r\n${head}\r\n\r\n${body}`)
    for (const { url } of service.upstream.requests) {
      const { pathname, search, hash } = new URL(url, 'http://x')
      expect(pathname).toMatch(/^\/v1beta\/models\/[^/]+:generateContent$/)
      expect(search + hash).toBe('')
    }
  },
)
