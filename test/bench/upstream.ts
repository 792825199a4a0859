/** The mock provider, a process of its own: raw sockets, every reply's bytes made beforehand. */

import { createServer, type AddressInfo, type Socket } from 'node:net'
import { MessageReader } from './message-reader.ts'
import { modelOf, replyBody, streamFrames, type WorkloadName } from './workloads.ts'

const streamHead = head('content-type: text/event-stream', 'transfer-encoding: chunked')
const lastChunk = Buffer.from('0\r\n\r\n')

/** Looked for in the request as bytes: the name of a model that only one workload asks for. */
const marks: Record<WorkloadName, Buffer> = {
  json: Buffer.from(modelOf('json')),
  coalesced: Buffer.from(modelOf('coalesced')),
  'per-write': Buffer.from(modelOf('per-write')),
}

const jsonReply = makeJsonReply()
const coalescedReply = Buffer.concat([streamHead, chunk(Buffer.concat(streamFrames())), lastChunk])
const separateWrites = makeSeparateWrites()

/** Streams that send one frame a turn of the event loop; each with the index of its next write. */
const slowStreams = new Map<Socket, number>()

const server = createServer({ noDelay: true }, serve)
server.listen(0, '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
)
// The bench is gone: so is the reason to run.
process.on('disconnect', () => process.exit(0))

function serve(socket: Socket): void {
  const reader = new MessageReader()
  let arrived: Buffer[] = []
  socket.on('data', (bytes: Buffer) => {
    arrived.push(bytes)
    if (!reader.push(bytes)) return
    const request = arrived.length === 1 ? bytes : Buffer.concat(arrived)
    arrived = []
    answer(socket, request)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => slowStreams.delete(socket))
}

function answer(socket: Socket, request: Buffer): void {
  if (request.includes(marks.json)) socket.write(jsonReply)
  else if (request.includes(marks.coalesced)) socket.write(coalescedReply)
  else if (request.includes(marks['per-write'])) startSlowStream(socket)
  else socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
}

function startSlowStream(socket: Socket): void {
  slowStreams.set(socket, 0)
  if (slowStreams.size === 1) setImmediate(writeOneFrameEach)
}

function writeOneFrameEach(): void {
  for (const [socket, next] of slowStreams) {
    socket.write(separateWrites[next]!)
    if (next + 1 < separateWrites.length) slowStreams.set(socket, next + 1)
    else slowStreams.delete(socket)
  }
  if (slowStreams.size > 0) setImmediate(writeOneFrameEach)
}

function makeJsonReply(): Buffer {
  const body = replyBody()
  return Buffer.concat([
    head('content-type: application/json', `content-length: ${body.length}`),
    body,
  ])
}

/** The head goes out with the first frame, the end with the last: 200 writes for 200 frames. */
function makeSeparateWrites(): Buffer[] {
  const writes = streamFrames().map(chunk)
  writes[0] = Buffer.concat([streamHead, writes[0]!])
  writes.push(Buffer.concat([writes.pop()!, lastChunk]))
  return writes
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}

function head(...headers: string[]): Buffer {
  const lines = ['HTTP/1.1 200 OK', 'x-request-id: req_bench', ...headers]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`)
}
