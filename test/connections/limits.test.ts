import { type IncomingMessage, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { once } from 'node:events'

import { expect, test } from 'vitest'

import { followConnections } from '../../src/http/connections.ts'
import { createTrustedProxies } from '../../src/exchange/client.ts'
import { until } from '../../src/testing/until.ts'

/** A server that follows its connections with these limits, and answers with this many bytes. */
async function startServer(
  limits: { mostWaiting: number; stalledMs: number },
  bytes = 2,
  proxies: readonly string[] = [],
) {
  let onRequest = () => {}
  const server = createServer((request, response) => {
    connections.noteRequest(request)
    onRequest()
    if (request.url !== '/never') response.end(Buffer.alloc(bytes, 'x'))
  })
  const connections = followConnections(
    server,
    limits,
    createTrustedProxies(() => proxies),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  return {
    server,
    connections,
    /** Calls `act` while the next request is handled. */
    atNextRequest(act: () => void) {
      onRequest = () => {
        onRequest = () => {}
        act()
      }
    },
    /** Opens a connection; `closed` is true once the server has ended it. */
    async open(bytesToSend = '') {
      const socket = connect(port, '127.0.0.1')
      const client = { socket, closed: false, received: 0 }
      clients.push(socket)
      socket.on('error', () => {}).once('close', () => (client.closed = true))
      await once(socket, 'connect')
      if (bytesToSend) socket.write(bytesToSend)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const socket of clients) socket.destroy()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

test('of many connections that send nothing the oldest ends, and no other', async () => {
  await using server = await startServer({ mostWaiting: 3, stalledMs: 60_000 })
  const busy = await server.open(get('/never'))
  const answered = await server.open(get('/'))
  const [, bytes] = await Promise.all([once(answered.socket, 'data'), server.open('GET / HTT')])
  const silent = [await server.open(), await server.open()]
  const last = await server.open()
  await until(() => bytes.closed)
  expect([busy, answered, ...silent, last].map(({ closed }) => closed)).not.toContain(true)
  await server.open()
  await until(() => silent[0]?.closed === true)
  expect([busy, answered, silent[1], last].map((client) => client?.closed)).not.toContain(true)
})

test('the connections of a trusted proxy are not those of one client, and still have a limit', async () => {
  const limits = { mostWaiting: 2, stalledMs: 60_000 }
  await using server = await startServer(limits, 2, ['loopback'])
  const silent = await Promise.all(Array.from({ length: 32 }, () => server.open()))
  const answered = await server.open(get('/'))
  await once(answered.socket, 'data')
  expect(silent.slice(1).filter(({ closed }) => closed)).toEqual([])
  await server.open()
  await until(() => silent[0]?.closed === true)
})

test('a client that takes nothing of its answer loses its connection', async () => {
  await using server = await startServer({ mostWaiting: 10, stalledMs: 200 }, 50_000_000)
  const stalled = await server.open(get('/'))
  stalled.socket.pause()
  const [request] = (await once(server.server, 'request')) as [IncomingMessage]
  await until(() => request.socket.destroyed)
})

test('a client that takes its answer slowly gets all of it', async () => {
  const bytes = 20_000_000
  await using server = await startServer({ mostWaiting: 10, stalledMs: 2_000 }, bytes)
  const slow = await server.open(get('/'))
  let received = 0
  slow.socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    slow.socket.pause()
    setTimeout(() => slow.socket.resume(), 10)
  })
  await until(() => received > bytes || slow.closed, 25_000)
  expect(received).toBeGreaterThan(bytes)
})

/** Leaves a process no time for anything else. */
function holdUp(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end) continue
}

test('a request that arrives while the process is held up is answered on an idle connection that is about to end', async () => {
  await using server = await startServer({ mostWaiting: 10, stalledMs: 60_000 })
  const fresh = await server.open()
  const kept = await server.open(get('/'))
  await once(kept.socket, 'data')
  server.connections.endIdle(300)
  const both = [fresh, kept]
  const ask = () => {
    for (const { socket } of both) socket.write(get('/'))
    return Promise.all(both.map(({ socket }) => once(socket, 'data')))
  }
  const answered = ask()
  holdUp(350)
  await answered
  // A connection that is in use again does not end.
  for (let count = 0; count < 50; count++) await ask()
  await until(() => both.every(({ closed }) => closed))
})

test('a request that arrives while others are served is answered on an idle connection that is about to end', async () => {
  await using server = await startServer({ mostWaiting: 10, stalledMs: 60_000 })
  const idle = await server.open(get('/'))
  const busy = await server.open(get('/'))
  await Promise.all([idle, busy].map(({ socket }) => once(socket, 'data')))
  server.connections.endIdle(20)
  const answered = once(idle.socket, 'data')
  server.atNextRequest(() => {
    idle.socket.write(get('/'))
    holdUp(5)
  })
  busy.socket.write(get('/'))
  holdUp(60)
  await answered
})

test('a client whose answer takes long to come is not taken for a stalled one', async () => {
  await using server = await startServer({ mostWaiting: 10, stalledMs: 50 })
  const patient = await server.open(get('/never'))
  const since = performance.now()
  await until(() => performance.now() - since > 300)
  expect(patient.closed).toBe(false)
})
