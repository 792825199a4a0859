import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, test } from 'vitest'

import { followConnections } from '../../src/http/connections.ts'
import { endEarly } from '../../src/http/end-early.ts'
import { type Listener, listen } from '../../src/http/listen.ts'
import { until } from '../../src/testing/until.ts'
import { statusesIn } from './conversation.ts'

/** A server that answers `/later` when the test says so, and everything else at once. */
async function startServer() {
  const waiting: ServerResponse[] = []
  const listener = await listen(
    (request, response) => {
      if (request.url === '/later') waiting.push(response)
      else response.end('{}')
    },
    { host: '127.0.0.1', port: 0 },
  )
  return {
    listener,
    waiting,
    async [Symbol.asyncDispose]() {
      listener.closeNow()
      await listener.close()
    },
  }
}

/** A client on one connection. */
async function open({ port }: Pick<Listener, 'port'>) {
  const socket: Socket = connect(port, '127.0.0.1')
  const client = { socket, text: '', ended: false }
  socket.setEncoding('latin1').on('data', (chunk: string) => (client.text += chunk))
  socket.on('error', () => {}).once('end', () => (client.ended = true))
  await once(socket, 'connect')
  return {
    client,
    /** Sends a request; resolves with all that has come back once there are `count` answers. */
    async ask(count: number, path = '/') {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      await until(() => client.text.endsWith('{}') && statusesIn(client.text).length === count)
      return client.text
    },
  }
}

test('a server that closes answers a request that is on its way on an idle connection', async () => {
  await using server = await startServer()
  const { client, ask } = await open(server.listener)
  expect(await ask(1)).not.toMatch(/^connection: close/im)
  await server.listener.stopAccepting()
  void server.listener.close()
  await expect(open(server.listener)).rejects.toThrow('ECONNREFUSED')
  expect(client.ended).toBe(false)
  expect(await ask(2)).toMatch(/^connection: close/im)
  await until(() => client.ended)
})

test('a client that has connected but not yet asked is answered', async () => {
  await using server = await startServer()
  const { client, ask } = await open(server.listener)
  await server.listener.stopAccepting()
  expect(await ask(1)).not.toMatch(/^connection: close/im)
  await server.listener.close()
  await until(() => client.ended)
})

test('a connection that is busy is not ended, and one whose answer is complete is', async () => {
  await using server = await startServer()
  const busy = await open(server.listener)
  busy.client.socket.write('GET /later HTTP/1.1\r\nhost: a\r\n\r\n')
  await until(() => server.waiting.length === 1)
  const idle = await open(server.listener)
  await idle.ask(1)
  const closed = server.listener.close()
  await until(() => idle.client.ended)
  expect(busy.client.ended).toBe(false)
  server.waiting[0]?.end('{}')
  await closed
  expect(statusesIn(busy.client.text)).toEqual([200])
})

test('connections without a whole request do not hold a shutdown', async () => {
  await using server = await startServer()
  const silent = await open(server.listener)
  const unfinished = await open(server.listener)
  unfinished.client.socket.write('GET / HTTP/1.1\r\nhos')
  await server.listener.close()
  await until(() => silent.client.ended && unfinished.client.ended)
})

test('clients that send the head of a request byte by byte hold no shutdown, one that is served does', async () => {
  await using server = await startServer()
  const busy = await open(server.listener)
  busy.client.socket.write('GET /later HTTP/1.1\r\nhost: a\r\n\r\n')
  await until(() => server.waiting.length === 1)
  const kept = await open(server.listener)
  await kept.ask(1)
  const slow = [kept.client, (await open(server.listener)).client]
  for (const { socket } of slow) socket.write('GET / HTTP/1.1\r\nhost: ')
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('a')
  }, 50)
  const closed = server.listener.close()
  await until(() => slow.every(({ ended }) => ended), 20_000)
  clearInterval(drip)
  expect(busy.client.ended).toBe(false)
  server.waiting[0]?.end('{}')
  await closed
})

test('all connections that were made before the socket closes are answered', async () => {
  await using server = await startServer()
  const clients = Array.from({ length: 200 }, () => open(server.listener))
  const connected = await Promise.all(clients)
  const stopped = server.listener.stopAccepting()
  const answers = connected.map(({ ask }) => ask(1))
  await stopped
  for (const answer of await Promise.all(answers)) expect(statusesIn(answer)).toEqual([200])
})

test('a server that has closed is freed, with the gateway behind it', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  async function closedServer(): Promise<WeakRef<object>> {
    const gateway = { answer: '{}' }
    const address = { host: '127.0.0.1', port: 0 }
    const listener = await listen((_request, response) => response.end(gateway.answer), address)
    await fetch(listener.url, { headers: { connection: 'close' } })
    await listener.close()
    return new WeakRef(gateway)
  }
  const gateway = await closedServer()
  await until(() => {
    collectGarbage()
    return gateway.deref() === undefined
  })
})

test('a process that works all the time stops accepting and ends idle connections, after a bounded time', async () => {
  await using server = await startServer()
  const { client } = await open(server.listener)
  let turns = 0
  const work = () => {
    turns++
    for (const end = performance.now() + 5; performance.now() < end;) continue
    working = setImmediate(work)
  }
  let working = setImmediate(work)
  await server.listener.close()
  clearImmediate(working)
  await until(() => client.ended)
  // Turns of 5 ms: those of the idle time, and of twice a second.
  expect(turns).toBeLessThan(1_000)
})

test('a client that sends its body on gets its early answer, longer than half a head may take', async () => {
  const server = createServer()
  const connections = followConnections(server)
  server.on('request', (request, response) => {
    connections.noteRequest(request)
    void endEarly(response).then(() => response.writeHead(401, { 'content-length': 2 }).end('{}'))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const listener = server.address() as AddressInfo
  const [sending, half] = [await open(listener), await open(listener)]
  await half.ask(1)
  sending.client.socket.pause()
  sending.client.socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n')
  const [accepted] = (await once(server, 'request')) as [IncomingMessage]
  await until(() => accepted.socket.writableEnded)

  connections.endIdle(50)
  half.client.socket.write('GET / HTTP/1.1\r\nhost: ')
  const dripping = setInterval(() => half.client.socket.write('a'), 5)
  await until(() => half.client.socket.destroyed)
  clearInterval(dripping)
  // Its end would take the answer from a client that has not read it.
  expect(accepted.socket.destroyed).toBe(false)
  sending.client.socket.resume()
  await until(() => sending.client.text.includes('401'))
  sending.client.socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})
