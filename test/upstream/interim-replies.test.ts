import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

import { expect, test } from 'vitest'

import { skipContinue } from '../../src/upstream/tracked-client.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { form, wholeStream } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'

const { chat } = form
const interim = 'HTTP/1.1 100 Continue\r\n\r\n'

function whole(body: string, type = 'application/json'): string {
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`
}

/** An account that answers each request with these pieces, one after the other. */
async function startRaw(pieces: readonly string[]) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString()
      if (!text.includes('\r\n\r\n') || !text.trimEnd().endsWith('}')) return
      text = ''
      void writeAll(socket, pieces)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Lets each piece arrive by itself. */
async function writeAll(socket: Socket, pieces: readonly string[]): Promise<void> {
  socket.setNoDelay(true)
  for (const piece of pieces) {
    await new Promise((resolve) => socket.write(piece, resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const reply = JSON.stringify(chat.reply)

test.each([
  { what: 'before its answer', pieces: [interim + whole(reply)] },
  { what: 'well before its answer', pieces: [interim, whole(reply)] },
  { what: 'twice', pieces: [interim + interim, whole(reply)] },
  { what: 'with headers', pieces: ['HTTP/1.1 100 Continue\r\ndate: today\r\n\r\n', whole(reply)] },
  {
    what: 'in pieces',
    pieces: ['HTT', 'P/1.1 10', '0 Continue\r', '\n\r\nHTTP/1.1', whole(reply).slice(8)],
  },
  { what: 'beside 103', pieces: ['HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', whole(reply)] },
])('an account that sends an interim reply $what keeps its circuit', async ({ pieces }) => {
  await using account = await startRaw(pieces)
  await using gateway = await createTestGateway({ accounts: [accountFor(chat, 'a', account.url)] })

  // A circuit opens after five failures in a row.
  for (let call = 0; call < 7; call++) {
    const response = await ask(gateway, chat, { stream: false })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(chat.reply)
  }

  expect(gateway.log).toEqual([])
})

test('a body that looks like an interim reply reaches the client as it is', async () => {
  const words = ['HTTP/1.1 100 Continue', '', ''].join('\\r\\n')
  const odd = JSON.stringify({ ...chat.reply, note: words })
  const [head = '', ...rest] = whole(odd).split('HTTP/1.1 100')
  const body = `HTTP/1.1 100${rest.join('HTTP/1.1 100')}`
  await using account = await startRaw([interim + head, body])
  await using gateway = await createTestGateway({ accounts: [accountFor(chat, 'a', account.url)] })

  const response = await ask(gateway, chat, { stream: false })

  expect(await response.text()).toBe(odd)
})

test('a stream after an interim reply is whole', async () => {
  const frames = wholeStream(chat).join('')
  await using account = await startRaw([interim, whole(frames, 'text/event-stream')])
  await using gateway = await createTestGateway({ accounts: [accountFor(chat, 'a', account.url)] })

  expect(await (await ask(gateway, chat)).text()).toBe(frames)
})

/** What a socket's reader gets of these pieces, read one by one: of one reply, or each of the `next` one. */
function readThrough(pieces: readonly string[], { next = false } = {}) {
  const waiting = pieces.map((piece) => Buffer.from(piece))
  const socket = { read: () => waiting.shift() ?? null } as unknown as Socket
  const connection = { awaitsHead: true }
  skipContinue(socket, connection)
  const read = pieces.map(() => {
    // The next request of the connection awaits its reply.
    if (next) connection.awaitsHead = true
    return (socket.read() as Buffer | null)?.toString() ?? null
  })
  return { read, connection }
}

test('only bytes before the head of a reply are skipped', () => {
  const { read, connection } = readThrough([interim, 'HTTP/1.1 200 OK\r\n\r\n', interim])
  expect(read).toEqual([null, 'HTTP/1.1 200 OK\r\n\r\n', interim])
  expect(connection.awaitsHead).toBe(false)
})

test('interim replies by the dozen are skipped, and more are left to the parser', () => {
  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  expect(readThrough([interim.repeat(16), head]).read).toEqual([null, head])
  expect(readThrough([interim.repeat(17), head]).read).toEqual([interim, head])
  const many = Array.from({ length: 17 }, () => interim)
  expect(readThrough(many).read).toEqual([...Array.from({ length: 16 }, () => null), interim])
})

test('each reply of a connection may have interim replies of its own', () => {
  const head = 'HTTP/1.1 200 OK\r\n\r\n'
  const { read, connection } = readThrough([interim.repeat(10) + head, interim.repeat(10) + head], {
    next: true,
  })
  expect(read).toEqual([head, head])
  expect(connection.awaitsHead).toBe(false)
})

test('an account that sends nothing but interim replies fails', async () => {
  await using account = await startRaw([interim.repeat(1000), interim.repeat(1000)])
  await using gateway = await createTestGateway({ accounts: [accountFor(chat, 'a', account.url)] })

  const response = await ask(gateway, chat, { stream: false })

  expect(response.status).toBe(502)
})

test('an interim reply without an end is left to the parser', () => {
  const endless = `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(20_000)}`
  expect(readThrough([endless]).read).toEqual([endless])
})
