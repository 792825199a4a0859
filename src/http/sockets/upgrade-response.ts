import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

import { linger } from '../connections.ts'
import { type GivenHeaders, partsOfHead } from './socket-response.ts'

/** Switches the connection to a WebSocket. Gets headers for the answer to the handshake. */
type SwitchProtocols = (headers: readonly string[]) => void

/** The headers of a reply that the answer to a handshake has, too. */
const keptHeaders = ['x-request-id', 'x-trace-id']

/**
 * The response to a request that asks for a WebSocket. Once `accept` is set, a reply of success switches the
 * connection; every other reply is an ordinary one, and the last of its connection.
 */
export class UpgradeResponse extends ServerResponse {
  accept: SwitchProtocols | undefined
  readonly #socket: Socket

  constructor(request: IncomingMessage, socket: Socket) {
    super(request)
    this.#socket = socket
    this.shouldKeepAlive = false
    // A client may leave before the answer.
    socket.on('error', ignore)
    this.assignSocket(socket)
    this.once('finish', () => {
      const { socket: last } = this
      if (last) this.detachSocket(last)
      if (last === socket) linger(socket)
      process.nextTick(() => this.emit('close'))
    })
  }

  override writeHead(status: number, reason?: string | GivenHeaders, given?: GivenHeaders): this {
    const { text, headers } = partsOfHead(reason, given)
    const { accept } = this
    if (!accept || status >= 300 || !this.socket) return super.writeHead(status, text, headers)
    const all = { ...this.getHeaders(), ...headers }
    for (const name of this.getHeaderNames()) this.removeHeader(name)
    this.detachSocket(this.#socket)
    this.#socket.off('error', ignore)
    accept(keptHeaders.flatMap((name) => (all[name] ? `${name}: ${String(all[name])}` : [])))
    // The exchange of the handshake ends as every other one does, but its bytes go nowhere.
    this.assignSocket(nowhere())
    return super.writeHead(101)
  }
}

function nowhere(): Socket {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }) as Socket
}

function ignore(): void {}
