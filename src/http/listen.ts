import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type ServerResponse,
  createServer,
} from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'

import { errorEnvelope } from '../kit/error-envelope.ts'
import { GatewayError } from '../contract/errors.ts'
import type { ErrorForm } from '../contract/request.ts'
import { type IncomingRequest, newRequestId } from '../exchange/receive.ts'
import { followConnections, isPipelined, linger, serveInTurn, stateOf } from './connections.ts'
import type { SocketDoor } from './sockets/door.ts'
import { noteWork } from '../lib/ticker.ts'
import { endEarly } from './end-early.ts'
import { isLongTurn, lateTurn } from '../lib/turns.ts'
import type { RefusedConnection } from './refused-connections.ts'
import { stopAccepting } from './stop-accepting.ts'
import type { TrustedProxies } from '../exchange/client.ts'

/** A server that listens. */
export interface Listener {
  /** The URL for clients on this machine, such as `http://127.0.0.1:8787`. */
  readonly url: string
  readonly port: number
  /**
   * Closes the listening socket. Open connections stay, and serve further requests. Resolves when no new connection
   * can arrive.
   */
  stopAccepting(): Promise<void>
  /**
   * Stops accepting, answers further requests with `connection: close`, and ends each connection after it was idle for
   * `idleMs`. Resolves when the last one has ended.
   */
  close(): Promise<void>
  /** The number of requests that came over open connections since it stopped accepting. */
  lateRequests(): number
  /** Destroys all connections. */
  closeNow(): void
}

/**
 * Longer than the keep-alive of common proxies, so that the proxy closes an idle connection first and
 * never sends a request on a connection that this server closes.
 */
const keepAliveMs = 75_000

/**
 * The time for the head of a request, from its first byte or the start of the connection, in milliseconds. It is
 * longer than `keepAliveMs`, as an idle connection costs as much as one with half a head.
 */
const headMs = 80_000

/** The interval between two checks of `headMs`, in milliseconds. */
const headCheckMs = 5_000

/**
 * How long a connection may be idle during a shutdown, in milliseconds: a request may be on its way. It is longer
 * than a second, the shortest keep-alive of proxies that count whole seconds.
 */
export const idleMs = 1_250

/** The time after which the system asks whether a silent client still exists, in milliseconds. */
const probeMs = 60_000

/** Where to listen. */
interface ListenOptions {
  readonly host: string
  readonly port: number
  /** Whether other processes may listen on this port as well: Linux divides the connections among them. Default: false. */
  readonly sharesPort?: boolean
  /** Proxies, which may have more connections than a client. Default: none. */
  readonly proxies?: TrustedProxies | undefined
  /** The form of errors for which no exchange exists. Default: `spec`. */
  readonly errors?: ErrorForm | undefined
  /** Opens WebSockets. Absent: a request for one is served as if it asked for none. */
  readonly sockets?: SocketDoor | undefined
  /** Called with each connection that is answered without an exchange. */
  readonly onRefused?: ((refused: RefusedConnection) => void) | undefined
}

/** Listens on one address. Rejects with the system's error if the address is unavailable. */
export function listen(
  listener: RequestListener,
  { host, port, sharesPort = false, proxies, errors, sockets, onRefused = () => {} }: ListenOptions,
): Promise<Listener> {
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headMs,
    connectionsCheckingInterval: headCheckMs,
    // Request bodies have their own deadline, see `Timeouts.requestBodyMs`.
    requestTimeout: 0,
    // The listener refuses requests without a host.
    requireHostHeader: false,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: probeMs,
    ...(sockets && { shouldUpgradeCallback: sockets.takes }),
  })
  const connections = followConnections(server, undefined, proxies)
  const ended = Promise.withResolvers<void>()
  let stopping: Promise<void> | undefined
  let isClosing = false
  let lateRequests = 0
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping) lateRequests++
    if (isClosing) response.setHeader('connection', 'close')
    listener(request, response)
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    noteWork()
    connections.noteRequest(request)
    const { socket } = request
    if (isPipelined(response)) serveInTurn(request, response, () => serve(request, response))
    else if (isLongTurn()) {
      void lateTurn(socket.remoteAddress).then(() => {
        if (!socket.destroyed) serve(request, response)
      })
    } else serve(request, response)
  }
  server.on('request', onRequest)
  server.on('checkContinue', (request: IncomingRequest, response: ServerResponse) => {
    request.awaitsContinue = true
    onRequest(request, response)
  })
  if (sockets) {
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      if (stopping) lateRequests++
      noteWork()
      connections.noteUpgrade(request)
      const open = () => sockets.open(request, socket, head)
      if (isLongTurn()) void lateTurn(socket.remoteAddress).then(open)
      else open()
    })
  }
  server.on('clientError', (error, socket) =>
    refuseUnreadable(error, socket, { errors, onRefused }),
  )
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    refuse(
      socket,
      { status: 405, message: 'CONNECT is not supported.', code: 'CONNECT' },
      { errors, onRefused },
    ),
  )
  server.on('checkExpectation', ({ socket }, response) => {
    const { headers, body } = bareError(417, 'Only `Expect: 100-continue` is supported.', errors)
    onRefused({ ...idOf(headers), status: 417, code: 'EXPECT', address: addressOf(socket) })
    void endEarly(response).then(() => response.writeHead(417, headers).end(body))
  })
  const stop = () => (stopping ??= stopAccepting(server, ended.resolve))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort: sharesPort }, () => {
      server.off('error', reject)
      // Later errors concern single connections, which have ended.
      server.on('error', () => {})
      const address = server.address() as AddressInfo
      resolve({
        url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
        port: address.port,
        stopAccepting: stop,
        async close() {
          await stop()
          isClosing = true
          connections.endIdle(idleMs)
          await ended.promise
        },
        lateRequests: () => lateRequests,
        closeNow() {
          server.closeAllConnections()
          sockets?.closeNow()
        },
      })
    })
  })
}

const unreadable: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
}

/** How a connection is answered without an exchange. */
interface Refusing extends Pick<ListenOptions, 'errors'> {
  readonly onRefused: NonNullable<ListenOptions['onRefused']>
}

/** Replies in the general envelope to bytes that are not HTTP, for which no exchange exists. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, refusing: Refusing): void {
  if (stateOf(socket).isRefused) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code = 'unknown' } = error
  const [status, message] = unreadable[code] ?? [400, 'This is not a valid HTTP request.']
  refuse(socket, { status, message, code }, refusing)
}

function refuse(
  socket: Duplex,
  { status, message, code }: { status: number; message: string; code: string },
  { errors, onRefused }: Refusing,
): void {
  stateOf(socket).isRefused = true
  const { headers, body } = bareError(status, message, errors)
  onRefused({ ...idOf(headers), status, code, address: addressOf(socket) })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  linger(socket)
}

function idOf(headers: ReturnType<typeof bareError>['headers']) {
  return { requestId: headers['x-request-id'] }
}

function addressOf(socket: Duplex): string {
  return (socket instanceof Socket && socket.remoteAddress) || ''
}

function bareError(status: number, message: string, errors: ErrorForm = 'spec') {
  const error = new GatewayError('invalid_request', message, { status })
  const body = JSON.stringify(errorEnvelope(error, { errors }).body)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': newRequestId(),
    connection: 'close',
  }
  return { headers, body }
}
