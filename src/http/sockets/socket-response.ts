import {
  IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

import type { ReplyReader, SocketExchange, SocketRequest } from '../../contract/socket.ts'

/** Headers of a handshake that say nothing about the requests of its socket. */
const ofHandshake =
  /^(?:connection|upgrade|sec-websocket-(?!protocol$).*|content-.*|transfer-encoding|expect|te|trailer|idempotency-key)$/

/** A request that a message of a socket makes, as `node:http` would read it from the connection. */
class MessageRequest extends IncomingMessage {
  constructor({ socket, headers }: IncomingMessage, { method, path, ...own }: SocketRequest) {
    super(socket)
    this.method = method
    this.url = path
    this.httpVersion = '1.1'
    const { length } = own.body
    const kept = Object.entries(headers).filter(([name]) => !ofHandshake.test(name))
    this.headers = {
      ...Object.fromEntries(kept),
      ...(length > 0 && { 'content-type': 'application/json', 'content-length': String(length) }),
      ...own.headers,
    }
    this.complete = true
    if (length > 0) this.push(own.body)
    this.push(null)
  }

  /** Its connection serves other requests, too. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    callback(error)
  }
}

const endOfHead = Buffer.from('\r\n\r\n')

/**
 * The connection of a response whose body goes to a reader. Of the bytes of HTTP that Node writes, it drops the head; the
 * body has no framing.
 */
class BodyOnly extends Duplex {
  readonly #reader: ReplyReader
  #hasHead = false
  #waiting: (() => void) | undefined

  constructor(reader: ReplyReader) {
    super({ readableHighWaterMark: 0, writableHighWaterMark: 64 * 1024 })
    this.#reader = reader
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    let body = chunk
    if (!this.#hasHead) {
      // Node writes the whole head at once.
      this.#hasHead = true
      body = chunk.subarray(chunk.indexOf(endOfHead) + endOfHead.length)
    }
    if (body.length === 0 || this.#reader.onBytes(body)) done()
    else this.#waiting = done
  }

  ready(): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.()
  }
}

/** Serves one request. Never throws. */
type HandleMessage = (request: IncomingMessage, response: ServerResponse) => void

class MessageResponse extends ServerResponse {
  readonly #reader: ReplyReader

  constructor(request: IncomingMessage, reader: ReplyReader) {
    super(request)
    this.#reader = reader
    // Without them, Node adds no framing to the body.
    this.useChunkedEncodingByDefault = false
    this.shouldKeepAlive = false
  }

  override writeHead(status: number, reason?: string | GivenHeaders, given?: GivenHeaders): this {
    const { text, headers } = partsOfHead(reason, given)
    this.#reader.onHead(status, { ...this.getHeaders(), ...headers })
    return super.writeHead(status, text, headers)
  }
}

/** The headers that `writeHead` takes. The gateway, and its adapter, pass no list of them. */
export type GivenHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** The parts of a head, of which `writeHead` takes one or two behind the status. */
export function partsOfHead(reason: string | GivenHeaders | undefined, given?: GivenHeaders) {
  const [text, all] = typeof reason === 'string' ? [reason, given] : [undefined, reason ?? given]
  return { text, headers: Array.isArray(all) ? {} : all }
}

/** Serves the request of a message, and passes the reply on. */
export function serveMessage(
  handshake: IncomingMessage,
  message: SocketRequest,
  reader: ReplyReader,
  handle: HandleMessage,
): SocketExchange {
  const request = new MessageRequest(handshake, message)
  const response = new MessageResponse(request, reader)
  const body = new BodyOnly(reader)
  let isWhole = false
  body.on('drain', () => response.emit('drain'))
  body.once('close', () => reader.onEnd(isWhole))
  response.assignSocket(body as Duplex as Socket)
  response.once('finish', () => {
    isWhole = true
    // Emits `close` of the response.
    body.destroy()
  })
  handle(request, response)
  return { ready: () => body.ready(), cancel: () => void body.destroy() }
}
