import { type IncomingMessage, createServer } from 'node:http'
import { type AddressInfo, type Socket, connect as connectTcp } from 'node:net'

import { expect, test } from 'vitest'
import { defaultLimits, defaultTimeouts } from '../../src/contract/limits.ts'
import type { ServeSocket, SocketEnding } from '../../src/contract/socket.ts'
import { MemoryPool } from '../../src/exchange/memory-pool.ts'
import type { IncomingRequest } from '../../src/exchange/receive.ts'
import type { Router } from '../../src/exchange/routes.ts'
import { createSocketDoor } from '../../src/http/sockets/door.ts'
import { until } from '../../src/testing/until.ts'
import { connect } from './echo.ts'

type Options = Parameters<typeof createSocketDoor>[0]

/** A door alone, whose sockets return what they get, with a beat each second. */
async function startDoor(
  options: { limits?: object; times?: Options['times'] } = {},
  serve?: ServeSocket,
) {
  const endings: SocketEnding[] = []
  const echo: ServeSocket = (socket) => ({
    onMessage: (text) => void socket.send(text),
    onReady() {},
    onEnding(cause) {
      endings.push(cause)
      socket.close(1001, cause)
    },
    onClose() {},
  })
  const limits = { ...defaultLimits, ...defaultTimeouts, ...options.limits }
  const memory = new MemoryPool(limits, 100)
  const door = createSocketDoor({
    router: {
      routes: [],
      match: () => ({ route: { operation: { upgrades: true } }, params: {} }),
    } as unknown as Router,
    listener(request, response) {
      const client = { keyId: 'k', hasCredential: true, publicUrl: undefined }
      ;(request as IncomingRequest).accept?.(client, serve ?? echo)
      response.writeHead(200).end()
    },
    handle() {},
    limits,
    memory,
    report: (_message, error) => {
      throw error
    },
    times: { beatSeconds: 1, ...options.times },
  })
  const server = createServer({ shouldUpgradeCallback: (request) => door.takes(request) })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    door.open(request, socket, head),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    door,
    memory,
    endings,
    async [Symbol.asyncDispose]() {
      door.closeNow()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A client that writes frames itself, after a handshake. */
async function rawClient(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connectTcp(Number(port), hostname)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.write(
    'GET / HTTP/1.1\r\nhost: g\r\nconnection: Upgrade\r\nupgrade: websocket\r\n' +
      'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await until(() => Buffer.concat(received).includes('\r\n\r\n'))
  received.length = 0
  return {
    socket,
    closed,
    /** The code of the close frame, which is the last one. */
    code: () => {
      const bytes = Buffer.concat(received)
      const at = bytes.lastIndexOf(0x88)
      return at < 0 ? undefined : bytes.readUInt16BE(at + 2)
    },
  }
}

/** A frame of a client whose mask is 0. */
function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const head = Buffer.alloc(8)
  head[0] = (isLast ? 0x80 : 0) | opcode
  head[1] = 0x80 | 126
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}

test('a client that answers no ping is gone after some beats, and one that does stays', async () => {
  await using stage = await startDoor()
  await using alive = await connect(stage.url)
  const silent = await rawClient(stage.url)
  expect(stage.door.size).toBe(2)
  await silent.closed
  await until(() => stage.door.size === 1)
  expect(await alive.ask('still here')).toBe('still here')
}, 15_000)

test('a socket that is as old as one may be is asked to end', async () => {
  await using stage = await startDoor({ times: { longestMs: 500 } })
  await using client = await connect(stage.url)
  expect(await client.closed).toEqual([1001, 'expired'])
  expect(stage.endings).toContain('expired')
})

test('fragments without an end take memory of the pool, must be fast, and end with the socket', async () => {
  await using stage = await startDoor({
    limits: { requestBodyMs: 500, bodyBytesPerSecond: 1_000_000 },
  })
  const client = await rawClient(stage.url)
  client.socket.write(frame(1, Buffer.alloc(50_000, 0x20), false))
  for (let count = 0; count < 20; count++) {
    client.socket.write(frame(0, Buffer.alloc(50_000, 0x20), false))
  }
  await until(() => stage.memory.bytes > 500_000)
  await until(() => client.code() === 1008)
  client.socket.destroy()
  await until(() => stage.door.size === 0)
  expect(stage.memory.bytes).toBe(0)
})

test('a message that finds no memory closes its socket, and the others go on', async () => {
  await using stage = await startDoor({ limits: { memoryBytes: 1_000_000 } })
  const other = stage.memory.lease('other')
  await other.hold('tree', 900_000)
  await using client = await connect(stage.url)
  client.socket.send('x'.repeat(600_000))
  expect((await client.closed)[0]).toBe(1013)
  await using small = await connect(stage.url)
  expect(await small.ask('hello')).toBe('hello')
  other[Symbol.dispose]()
  await using again = await connect(stage.url)
  expect((await again.ask('x'.repeat(600_000))).length).toBe(600_000)
  await until(() => stage.memory.bytes === 0)
})

test('a frame that announces too much is refused before it arrives', async () => {
  await using stage = await startDoor()
  const client = await rawClient(stage.url)
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0x80 | 127
  head.writeBigUInt64BE(100_000_000n, 2)
  client.socket.write(head)
  await until(() => client.code() === 1009)
  expect(stage.memory.bytes).toBe(0)
})

test.each([
  ['pings', 0x89, undefined],
  ['pongs', 0x8a, 1008],
])('a flood of %s ends its socket', async (_name, opcode, code) => {
  await using stage = await startDoor()
  const client = await rawClient(stage.url)
  const flood = Array.from({ length: 1_100 }, () => Buffer.from([opcode, 0x80, 0, 0, 0, 0]))
  client.socket.write(Buffer.concat(flood))
  if (code === undefined) await client.closed
  else await until(() => client.code() === code)
  client.socket.destroy()
  await until(() => stage.door.size === 0)
})

test('frames that break the rules end their socket with the code for it', async () => {
  await using stage = await startDoor()
  const rows: [Buffer, number][] = [
    [Buffer.from([0x81, 0x01, 0x61]), 1002],
    [Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x61]), 1002],
    [frame(1, Buffer.from([0xff, 0xfe])), 1007],
    [frame(2, Buffer.from('{}')), 1003],
    [frame(0, Buffer.from('x')), 1002],
  ]
  for (const [bytes, code] of rows) {
    const client = await rawClient(stage.url)
    client.socket.write(bytes)
    await until(() => client.code() === code)
    client.socket.destroy()
  }
  await until(() => stage.door.size === 0)
})

test('a client that takes nothing keeps what waits for it small, and is gone after a while', async () => {
  const most = 2_000
  const sent: number[] = []
  await using stage = await startDoor({ times: { stalledMs: 1_500 } }, (socket) => {
    const piece = Buffer.alloc(32_000, 0x20)
    const index = sent.push(0) - 1
    const fill = () => {
      while (sent[index]! < most) {
        sent[index]!++
        if (!socket.send(piece)) return
      }
    }
    return {
      onMessage: fill,
      onReady: fill,
      onEnding() {},
      onClose() {},
    }
  })
  const begin = Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61])
  const client = await rawClient(stage.url)
  client.socket.pause()
  client.socket.write(begin)
  await until(() => sent[0]! > 1)
  const reader = await rawClient(stage.url)
  reader.socket.write(begin)
  await until(() => sent[1] === most)
  // What the system takes in, and one piece too many.
  expect(sent[0]).toBeLessThan(most / 2)
  reader.socket.destroy()
  await until(() => stage.door.size === 0)
  client.socket.destroy()
}, 20_000)
