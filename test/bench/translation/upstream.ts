/** A provider of all four dialects, a process of its own: raw sockets, bytes made beforehand. */

import { createServer, type AddressInfo, type Socket } from 'node:net'

import { MessageReader } from '../message-reader.ts'
import { dialectNames, dialects, framesOf, type DialectName, type Side, sides } from './dialects.ts'

const head = Buffer.from(
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n',
)
const lastChunk = Buffer.from('0\r\n\r\n')

interface Prepared {
  /** How a request for it begins. */
  readonly begins: Buffer
  readonly whole: Buffer
  readonly writes: readonly Buffer[]
}

const prepared = dialectNames.map(prepare)

/** How often each stream sends a frame, in milliseconds: so seldom that every frame is read alone. */
const paceMillis = 1

/** By all slow streams together, since the process began. */
let framesWritten = 0

/** Streams that send one frame at a time. */
const slowStreams = new Map<Socket, SlowStream>()

interface SlowStream {
  readonly side: Side
  readonly writes: readonly Buffer[]
  /** The index of the next one. */
  next: number
}

/** Whose frames are sent now. */
export type Turn = Side | 'both' | 'none'
let turn: Turn = 'both'

const server = createServer({ noDelay: true }, (socket) => {
  const reader = new MessageReader()
  let arrived: Buffer[] = []
  socket.on('data', (bytes: Buffer) => {
    arrived.push(bytes)
    if (!reader.push(bytes)) return
    const request = Buffer.concat(arrived)
    arrived = []
    answer(socket, request)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => slowStreams.delete(socket))
})
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
process.on('message', (next: Turn) => {
  turn = next
  process.send?.({ framesWritten })
})
// The bench is gone: so is the reason to run.
process.on('disconnect', () => process.exit(0))

function prepare(name: DialectName): Prepared {
  const [path = ''] = dialects[name].path('bench').split('bench')
  const chunks = framesOf(name, 'per-write').map(chunk)
  const [first, ...others] = chunks
  const writes = [Buffer.concat([head, first!]), ...others.slice(0, -1)]
  writes.push(Buffer.concat([others.at(-1)!, lastChunk]))
  const whole = Buffer.concat([head, chunk(Buffer.concat(framesOf(name, 'coalesced'))), lastChunk])
  return { begins: Buffer.from(`POST ${path}`), whole, writes }
}

function answer(socket: Socket, request: Buffer): void {
  const dialect = prepared.find(({ begins }) => request.subarray(0, begins.length).equals(begins))
  const side = sides.find((name) => request.includes(`bench-${name}`))
  if (!dialect) socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
  else if (!side) socket.write(dialect.whole)
  else slowStreams.set(socket, { side, writes: dialect.writes, next: 0 })
}

function writeOneFrameEach(): void {
  for (const [socket, stream] of slowStreams) {
    if (turn !== 'both' && turn !== stream.side) continue
    framesWritten++
    socket.write(stream.writes[stream.next++]!)
    if (stream.next === stream.writes.length) slowStreams.delete(socket)
  }
}
setInterval(writeOneFrameEach, paceMillis)

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
