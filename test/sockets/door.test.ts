import { connect as connectTcp } from 'node:net'

import { expect, test } from 'vitest'
import { until } from '../../src/testing/until.ts'
import { type TestGatewayOptions, createTestGateway } from '../../src/testing/gateway.ts'
import { sendRaw } from '../errors/raw.ts'
import { connect, echo } from './echo.ts'

const start = (options: TestGatewayOptions = {}) =>
  createTestGateway({ plugins: [echo], ...options })

const upgrade = (more = '', key = 'dGhlIHNhbXBsZSBub25jZQ==') =>
  `host: g\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}${more}`

test('a socket opens for a key, and its requests are exchanges of their own', async () => {
  await using gateway = await start()
  await using client = await connect(`${gateway.url}/echo`, { key: gateway.key })
  expect(await client.ask('hello')).toBe('hello')
  client.socket.send('/v1/models')
  await until(() => client.texts.includes('whole true'))
  expect(client.texts[1]).toBe('status 200')
  expect(JSON.parse(client.texts[2] ?? '')).toMatchObject({ object: 'list' })
  const log = await gateway.logged(2)
  expect(log.map(({ status, path }) => [status, path])).toEqual([
    [101, '/echo'],
    [200, '/v1/models'],
  ])
  expect(gateway.gateway.inflight()).toBe(0)
  expect(gateway.gateway.sockets.size).toBe(1)
})

test('a handshake has the id of its exchange, and the subprotocol that the operation chooses', async () => {
  await using gateway = await start()
  const { head } = await handshake(
    gateway.url,
    `${auth(gateway.key)}\r\nsec-websocket-protocol: x, echo`,
  )
  expect(head).toMatch(/^HTTP\/1.1 101 /)
  expect(head).toMatch(/^x-request-id: req_/im)
  expect(head).toMatch(/^sec-websocket-protocol: echo$/im)
})

const refusals: [name: string, lines: string, status: number, text: RegExp][] = [
  ['no key', '', 401, /API key is missing/],
  ['a wrong key', 'authorization: Bearer no', 401, /not valid/],
  ['a page of another origin without a key', 'origin: https://evil.test', 401, /missing/],
]

test.each(refusals)('%s is refused before the upgrade', async (_name, lines, status, text) => {
  await using gateway = await start()
  const answer = await sendRaw(
    gateway.url,
    `GET /echo HTTP/1.1\r\n${upgrade(lines && `\r\n${lines}`)}\r\n\r\n`,
  )
  expect(answer.status).toBe(status)
  expect(answer.body).toMatch(text)
  expect(answer.head).toMatch(/^connection: close/im)
  expect(answer.head).toMatch(/^x-request-id: req_/im)
  expect(gateway.gateway.inflight()).toBe(0)
})

test('a key that anybody has by being here is none for a page of another origin', async () => {
  const open = { name: 'open', onAuthenticate: () => ({ keyId: 'all', mayUse: () => true }) }
  await using gateway = await start({ plugins: [echo, open] })
  const url = `${gateway.url}/echo`
  await expect(connect(url, { headers: { origin: 'https://evil.test' } })).rejects.toThrow(/^403/)
  await expect(connect(url, { headers: { origin: 'null' } })).rejects.toThrow(/^403/)
  await using _own = await connect(url, { headers: { origin: gateway.url } })
  await using _key = await connect(url, { headers: { origin: 'https://app.test' }, key: 'x' })
})

test.each([
  ['another version', upgrade().replace(': 13', ': 8'), 426],
  ['no nonce', upgrade('', 'x'), 400],
  ['subprotocols that are no tokens', upgrade('\r\nsec-websocket-protocol: a b'), 400],
  ['a subprotocol twice', upgrade('\r\nsec-websocket-protocol: a, a'), 400],
])('a handshake with %s is refused', async (_name, head, status) => {
  await using gateway = await start()
  const answer = await sendRaw(
    gateway.url,
    `GET /echo HTTP/1.1\r\n${head}\r\n${auth(gateway.key)}\r\n\r\n`,
  )
  expect(answer.status).toBe(status)
})

test.each([
  ['a request for another protocol', 'GET /echo', upgrade().replace('websocket', 'h2c'), 426],
  ['a plain request', 'GET /echo', 'host: g', 426],
  ['a plain GET of responses', 'GET /v1/responses', 'host: g', 405],
  ['an upgrade with a body', 'GET /echo', `${upgrade()}\r\ncontent-length: 0`, 426],
  ['an upgrade of another path', 'GET /v1/models', upgrade(), 200],
  ['an upgrade of no path', 'GET /nowhere', upgrade(), 404],
  ['an upgrade of a POST', 'POST /echo', upgrade(), 405],
])('%s is answered as if it asked for no socket', async (_name, line, head, status) => {
  await using gateway = await start()
  const answer = await sendRaw(
    gateway.url,
    `${line} HTTP/1.1\r\n${head}\r\n${auth(gateway.key)}\r\n\r\n`,
  )
  expect(answer.status).toBe(status)
  if (status === 426) expect(answer.head).toMatch(/^upgrade: websocket/im)
})

test('a request for h2c, as Java sends it, is served', async () => {
  await using gateway = await start()
  const head = `host: g\r\nconnection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AA`
  const answer = await sendRaw(
    gateway.url,
    `POST /v1/chat/completions HTTP/1.1\r\n${head}\r\ncontent-length: 2\r\n${auth(gateway.key)}\r\n\r\n{}`,
  )
  expect(answer.status).toBe(400)
})

test('plugins at the edge and around exchanges see a handshake, and may refuse it', async () => {
  const seen: string[] = []
  const edge = {
    name: 'edge',
    http: {
      onRequest({ url, endResponse }: { url: URL; endResponse: (reply: Response) => void }) {
        seen.push(url.pathname)
        if (url.searchParams.has('no')) endResponse(new Response('no', { status: 418 }))
      },
    },
    onExchange: ({
      exchange,
      next,
    }: {
      exchange: { request: { query: string } }
      next: () => unknown
    }) =>
      exchange.request.query === 'later' ? { status: 451, headers: {}, body: 'not here' } : next(),
  }
  await using gateway = await start({ plugins: [echo, edge as never] })
  const { key, url } = gateway
  await expect(connect(`${url}/echo?no`, { key })).rejects.toThrow(/^418/)
  await expect(connect(`${url}/echo?later`, { key })).rejects.toThrow(/^451 not here/)
  await using client = await connect(`${url}/echo`, { key })
  expect(await client.ask('hello')).toBe('hello')
  expect(seen).toEqual(['/echo', '/echo', '/echo'])
})

test('a key has no more sockets than calls', async () => {
  await using gateway = await start({ limits: { callsPerKey: 2 } })
  const { key, url } = gateway
  await using _first = await connect(`${url}/echo`, { key })
  const second = await connect(`${url}/echo`, { key })
  await expect(connect(`${url}/echo`, { key })).rejects.toThrow(/^429.*2 WebSockets/)
  await second[Symbol.asyncDispose]()
  await until(() => gateway.gateway.sockets.size === 1)
  await using _third = await connect(`${url}/echo`, { key })
})

test('a shutdown closes sockets with a code after which clients connect again, and takes no more', async () => {
  await using gateway = await start()
  const { key, url } = gateway
  await using client = await connect(`${url}/echo`, { key })
  gateway.gateway.drain()
  expect(await client.closed).toEqual([1001, 'drain'])
  await expect(connect(`${url}/echo`, { key })).rejects.toThrow(/^503/)
})

test('an upgrade behind a request that is not answered ends the connection', async () => {
  await using gateway = await start()
  const { hostname, port } = new URL(gateway.url)
  const socket = connectTcp(Number(port), hostname)
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => {})
  const ended = new Promise((resolve) => socket.once('close', resolve))
  const key = auth(gateway.key)
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: g\r\n${key}\r\ncontent-length: 2\r\n\r\n{}` +
      `GET /echo HTTP/1.1\r\n${upgrade()}\r\n${key}\r\n\r\n`,
  )
  await ended
  expect(text).not.toContain('101')
})

function auth(key: string): string {
  return `authorization: Bearer ${key}`
}

/** The head of an answer, whose connection stays open. */
function handshake(url: string, lines: string): Promise<{ readonly head: string }> {
  const { hostname, port } = new URL(url)
  const socket = connectTcp(Number(port), hostname)
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', (chunk: Buffer) => {
      socket.destroy()
      resolve({ head: chunk.toString() })
    })
    socket.write(`GET /echo HTTP/1.1\r\n${upgrade(`\r\n${lines}`)}\r\n\r\n`)
  })
}
