import { buildConnector, Client, type Dispatcher, Pool } from 'undici'
import type { Peer } from '../contract/request.ts'
import type { Socket } from 'node:net'

/** The state of the connection that carries a request. */
export interface Connection extends AwaitingConnection {
  /** Whether it has carried an earlier request. */
  isUsed: boolean
  /** Its other end. Absent: it was never established, or its socket has no address. */
  peer: Peer | undefined
}

/** An undici handler that learns which connection carries its request. */
export interface UpstreamHandler extends Dispatcher.DispatchHandler {
  /** Set before the request is sent. */
  connection?: Connection | undefined
}

/** An undici client, one connection at a time, that hands its connection to each request. */
class TrackedClient extends Client {
  readonly #connection: Connection

  constructor(origin: string | URL, options: object & { readonly connect?: unknown }) {
    const connection: Connection = { isUsed: false, peer: undefined, awaitsHead: false }
    super(origin, { ...options, connect: trackedConnector(options.connect, connection) })
    this.#connection = connection
    // undici emits it before the first request is written to the new connection.
    this.on('connect', () => (connection.isUsed = false))
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: UpstreamHandler): boolean {
    handler.connection = this.#connection
    this.#connection.awaitsHead = true
    return super.dispatch(options, handler)
  }
}

/** The connector of the pool, whose sockets skip `100 Continue`. */
function trackedConnector(connect: unknown, connection: Connection): buildConnector.connector {
  const open =
    typeof connect === 'function' ? (connect as buildConnector.connector) : buildConnector({})
  return (options, callback) =>
    open(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      skipContinue(socket, connection)
      const { remoteAddress: address, remotePort: port } = socket
      connection.peer = address && port ? { address, port } : undefined
      callback(null, socket)
    })
}

/** Creates a pool of tracked clients for one origin; usable as the `factory` of an undici agent. */
export function createTrackedPool(origin: string | URL, options: object): Dispatcher {
  const factory = (url: URL, its: object) => new TrackedClient(url, its)
  return new Pool(origin, { ...options, factory })
}

const starts = ['HTTP/1.1 100', 'HTTP/1.0 100'] as const
/** The end of the head of an interim `100 Continue`, which may have headers. */
const blankLine = '\r\n\r\n'
/** The longest head of an interim reply, in bytes. A longer one is left to the HTTP parser. */
const longestHead = 16 * 1024
/** The most interim replies to a request. The HTTP parser gets the next one, and undici breaks the connection. */
const mostReplies = 16

/** A connection that may await a reply. */
interface AwaitingConnection {
  /** Whether no byte of the reply to its request has arrived, interim replies apart. */
  awaitsHead: boolean
}

/**
 * Removes `100 Continue` from the bytes that a socket reads while its connection awaits the head of a
 * reply. A server may send it unasked (RFC 9110, 15.2.1), and undici breaks the connection for it.
 */
export function skipContinue(socket: Socket, connection: AwaitingConnection): void {
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null
  let held: Buffer | undefined
  let skipped = 0
  socket.read = (size?: number) => {
    const bytes = read(size)
    if (!connection.awaitsHead || bytes === null) return bytes
    let rest = held ? Buffer.concat([held, bytes]) : bytes
    held = undefined
    while (isInterim(rest)) {
      const end = endOfHead(rest)
      if (end === undefined) {
        held = rest
        return null
      }
      if (end === 0 || skipped === mostReplies) break
      rest = rest.subarray(end)
      skipped++
    }
    skipped = 0
    connection.awaitsHead = false
    return rest
  }
}

/** The end of the head at the beginning; `undefined` if it takes more bytes to say, 0 if it is too long. */
function endOfHead(bytes: Buffer): number | undefined {
  const found = bytes.subarray(0, longestHead).indexOf(blankLine)
  if (found < 0) return bytes.length < longestHead ? undefined : 0
  return found + blankLine.length
}

/** The place of the first digit of the status. */
const statusAt = 9
const digitOne = 0x31

/** Whether bytes begin an interim reply, as far as they go. No bytes may begin anything. */
function isInterim(bytes: Buffer): boolean {
  if (bytes.length > statusAt && bytes[statusAt] !== digitOne) return false
  const start = bytes.toString('latin1', 0, starts[0].length)
  return starts.some((one) => one.startsWith(start))
}
