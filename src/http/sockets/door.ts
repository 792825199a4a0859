import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { WebSocketServer } from 'ws'

import { GatewayError } from '../../contract/errors.ts'
import type { Limits, Timeouts } from '../../contract/limits.ts'
import type { MemoryBudget } from '../../contract/memory.ts'
import type { ServeSocket, SocketClient, SocketEnding } from '../../contract/socket.ts'
import type { IncomingRequest } from '../../exchange/receive.ts'
import type { Router } from '../../exchange/routes.ts'
import { bodyPace } from '../../kit/body-limits.ts'
import { everySeconds } from '../../lib/ticker.ts'
import { OpenSocket } from './client-socket.ts'
import { UpgradeResponse } from './upgrade-response.ts'

/**
 * Where requests become WebSockets, and the sockets that are open. The walk of a socket:
 *
 *     GET with Upgrade: websocket
 *       |  takes               another path, a body, h2c -------> served as a request without an upgrade
 *       v
 *     UpgradeResponse          an ordinary response, for the listener: edge plugins, hooks, key, limits, log
 *       |  acceptSocket        handshake malformed, foreign page without a key,
 *       |                      too many sockets, shutdown ------> error in the client's dialect, the connection ends
 *       v  reply of success    the exchange of the handshake ends with status 101
 *     OpenSocket               the limits of one socket: size, memory and pace of its messages, pings, slow readers
 *       |
 *       v
 *     SocketReader.onMessage   the dialect's own code (`src/contract/socket.ts`)
 *       |  socket.request      the headers of the handshake, a body of the reader's making
 *       v
 *     handle of the gateway    as if it came over HTTP: key, model, limits, routing, failover, logs
 *       |
 *       v
 *     ReplyReader              head and bytes of the reply, which the reader sends as messages
 *
 * While the client takes nothing, `ReplyReader.onBytes` returns false, and the account pauses. A client that leaves, and
 * `SocketExchange.cancel`, are to an exchange what the end of a connection is. After an hour, and when the process shuts down,
 * `onEnding` asks the reader to close.
 */
export interface SocketDoor {
  /** Whether a request with an `Upgrade` header may become a WebSocket. Every other one is served as if it had none. */
  takes(request: IncomingMessage): boolean
  /** For the event `upgrade` of `node:http`. Answers the request, or opens a socket. */
  open(request: IncomingMessage, connection: Socket, head: Buffer): void
  /** The sockets that are open. */
  readonly size: number
  /** Ends all sockets, each when no reply is under way, and accepts no more. */
  drain(): void
  /** Ends all connections at once. */
  closeNow(): void
}

/** The times of sockets. */
interface SocketTimes {
  /** How often a client is asked whether it is still there, in seconds. */
  readonly beatSeconds: number
  /** How long a socket may be open, in milliseconds: as long as OpenAI's. */
  readonly longestMs: number
  /** How long a client may leave what waits for it without taking a byte, in milliseconds. */
  readonly stalledMs: number
}

const defaultTimes: SocketTimes = { beatSeconds: 30, longestMs: 3_600_000, stalledMs: 300_000 }

/** How long a socket waits for the client's close frame, in milliseconds. */
const closeMs = 5_000

/** The memory that a socket takes by being there, in bytes. */
const bytesOfSocket = 32 * 1024

/** The parts of a door. */
interface DoorOptions {
  readonly router: Router
  /** Serves handshakes, as all requests. */
  readonly listener: RequestListener
  /** Serves the requests that messages make. Never throws. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly limits: Limits & Pick<Timeouts, 'requestBodyMs'>
  readonly memory: MemoryBudget
  readonly report: (message: string, error: unknown) => void
  readonly times?: Partial<SocketTimes> | undefined
}

/** Creates the door of a gateway. The library of WebSockets is loaded for the first handshake. */
export function createSocketDoor(options: DoorOptions): SocketDoor {
  const { router, listener, limits, report } = options
  const times = { ...defaultTimes, ...options.times }
  const pace = bodyPace(limits)
  const most = Math.max(2 * limits.callsPerKey, limits.memoryBytes / bytesOfSocket)
  const sockets = new Set<OpenSocket>()
  const ofKeys = new Map<string, number>()
  let isDraining = false
  let stopBeating: (() => void) | undefined
  let loading: Promise<WebSocketServer> | undefined
  /** What the handshake that is written right now is about. */
  let current: { readonly headers: readonly string[]; readonly protocol: string | undefined }

  async function load(): Promise<WebSocketServer> {
    const ws = await import('ws')
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.jsonBodyBytes,
      closeTimeout: closeMs,
      handleProtocols: () => current.protocol ?? false,
    } as const
    const server = new ws.WebSocketServer(settings)
    return server.on('headers', (headers) => void headers.push(...current.headers))
  }

  function beat(): void {
    const now = performance.now()
    for (const socket of sockets) {
      socket.beat(now)
      if (now - socket.openedAt > times.longestMs) socket.end('expired')
    }
  }

  function enter(socket: OpenSocket, keyId: string): void {
    sockets.add(socket)
    ofKeys.set(keyId, (ofKeys.get(keyId) ?? 0) + 1)
    stopBeating ??= everySeconds(times.beatSeconds, beat)
  }

  function leave(socket: OpenSocket, keyId: string): void {
    sockets.delete(socket)
    const rest = (ofKeys.get(keyId) ?? 1) - 1
    if (rest > 0) ofKeys.set(keyId, rest)
    else ofKeys.delete(keyId)
    if (sockets.size > 0) return
    stopBeating?.()
    stopBeating = undefined
  }

  /** Throws `GatewayError` for a socket that may not open. */
  function assertMayOpen({ headers }: IncomingMessage, client: SocketClient): void {
    const { keyId, hasCredential, publicUrl } = client
    if (isDraining) throw new GatewayError('draining', 'The gateway is shutting down.')
    assertHandshake(headers)
    // What a page of a browser sends by itself is no key: only a page that knows one may connect from elsewhere.
    if (!hasCredential && !isSameOrigin(headers, publicUrl))
      throw new GatewayError('permission_denied', 'Pages of other origins need an API key.')
    if ((ofKeys.get(keyId) ?? 0) >= limits.callsPerKey) throw tooMany(limits.callsPerKey)
    if (sockets.size >= most)
      throw new GatewayError('memory_full', 'The gateway has too many WebSockets at the moment.')
  }

  function connect(
    server: WebSocketServer,
    { request, connection, head }: Handshake,
    { serve, keyId }: { readonly serve: ServeSocket; readonly keyId: string },
  ): void {
    server.handleUpgrade(request, connection, head, (socket) => {
      const parts = { ...options, handshake: request, keyId, pace, stalledMs: times.stalledMs }
      try {
        const open = new OpenSocket(socket, connection, parts, serve)
        enter(open, keyId)
        socket.once('close', () => leave(open, keyId))
      } catch (error) {
        report('a socket could not be served', error)
        socket.close(1011)
      }
    })
  }

  async function receive(handshake: Handshake): Promise<void> {
    const { request, connection } = handshake
    const response = new UpgradeResponse(request, connection)
    try {
      const server = await (loading ??= load())
      request.accept = (client, serve, protocol) => {
        assertMayOpen(request, client)
        response.accept = (headers) => {
          current = { headers, protocol }
          connect(server, handshake, { serve, keyId: client.keyId })
        }
      }
      listener(request, response)
    } catch (error) {
      report('a handshake failed', error)
      connection.destroy()
    }
  }

  function endAll(cause: SocketEnding): void {
    for (const socket of sockets) socket.end(cause)
  }

  return {
    takes({ method, url = '', headers }) {
      const hasBody = 'content-length' in headers || 'transfer-encoding' in headers
      if (method !== 'GET' || hasBody || headers.upgrade?.toLowerCase() !== 'websocket')
        return false
      const match = router.match(method, pathOf(url))
      return 'route' in match && match.route.operation.upgrades === true
    },
    open(request, connection, head) {
      // A request in front of it is not answered yet.
      if (isServed(connection)) connection.destroy()
      else void receive({ request, connection, head })
    },
    get size() {
      return sockets.size
    },
    drain() {
      isDraining = true
      endAll('drain')
    },
    closeNow() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

interface Handshake {
  readonly request: IncomingRequest
  readonly connection: Socket
  readonly head: Buffer
}

function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path
}

function isServed(connection: Socket & { readonly _httpMessage?: object | null }): boolean {
  return connection._httpMessage !== null && connection._httpMessage !== undefined
}

const validKey = /^[+/0-9A-Za-z]{22}==$/
const validProtocols = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

/** Throws `GatewayError` for a handshake that RFC 6455 does not permit (section 4.2.1). */
function assertHandshake(headers: IncomingMessage['headers']): void {
  if (headers['sec-websocket-version'] !== '13') {
    throw new GatewayError('upgrade_required', 'WebSockets have version 13.', {
      headers: { 'sec-websocket-version': '13' },
    })
  }
  const { 'sec-websocket-key': key = '', 'sec-websocket-protocol': offered } = headers
  if (!validKey.test(key)) throw invalid('Sec-WebSocket-Key')
  if (offered === undefined) return
  const names = offered.split(',').map((name) => name.trim())
  if (!validProtocols.test(offered) || new Set(names).size < names.length)
    throw invalid('Sec-WebSocket-Protocol')
}

function invalid(name: string): GatewayError {
  return new GatewayError('invalid_request', `The header ${name} is missing or not valid.`)
}

/** Whether a request comes from a page of this host, or from no page. */
function isSameOrigin({ origin, host }: IncomingMessage['headers'], publicUrl = ''): boolean {
  if (origin === undefined) return true
  const from = URL.parse(origin)?.host
  return from !== undefined && (from === host || from === URL.parse(publicUrl)?.host)
}

function tooMany(most: number): GatewayError {
  const message = `This API key has ${most} WebSockets open, the most that one key may have.`
  return new GatewayError('rate_limited', message)
}
