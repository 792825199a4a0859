import type { Duplex } from 'node:stream'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { computedOnce } from '../lib/computed-once.ts'
import { type TrustedProxies, noProxies, plain } from '../exchange/client.ts'
import { afterShortTurn } from './stop-accepting.ts'

/** The gateway's own state of a client's connection. */
interface ConnectionState {
  /** Whether the connection ends with an answer that is decided but perhaps not sent. A later one could not be sent. */
  hasLastAnswer: boolean
  /** Whether the last answer is the refusal of bytes that are no request. */
  isRefused: boolean
  /** Whether it reads and drops after its last answer, for a bounded time. */
  isLingering: boolean
  /** The requests that wait for the answers to those before them. */
  waiting: number
}

/** The state of a connection. */
export const stateOf = computedOnce<Duplex, ConnectionState>(() => ({
  hasLastAnswer: false,
  isRefused: false,
  isLingering: false,
  waiting: 0,
}))

/** How long a connection reads and drops after its last answer, in milliseconds. */
const lingerMs = 5_000

/**
 * Ends the own side of a connection after its last answer, and drops incoming bytes until the client
 * ends its side or time is up. Closing at once would reset the connection of a client that is still
 * sending, and destroy the answer on its way.
 */
export function linger(socket: Duplex): void {
  stateOf(socket).isLingering = true
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end()
}

/** The limits on the connections of a server's clients. */
interface ConnectionLimits {
  /** The connections of one address without a request; the oldest ends for a further one. */
  readonly mostWaiting: number
  /** How long a client may leave an answer without taking a byte of it, in milliseconds. */
  readonly stalledMs: number
}

const defaults: ConnectionLimits = { mostWaiting: 512, stalledMs: 300_000 }

/** A trusted proxy has the connections of many clients: how many times as many may wait. */
const clientsOfProxy = 16

/** The connections of a server, as far as their clients let them wait. */
interface Connections {
  /** Registers a request, which may be the first of its connection. */
  noteRequest(request: IncomingMessage): void
  /** Registers a request for a WebSocket, whose connection the door of sockets follows from now on. */
  noteUpgrade(request: IncomingMessage): void
  /**
   * Ends each connection that is without a request for `idleMs` milliseconds, and at the latest for three times that
   * one on which no request becomes whole.
   */
  endIdle(idleMs: number): void
}

/**
 * Follows the connections of a server. A client that opens many connections and sends nothing loses the
 * oldest of them, and a client that takes nothing of its answer loses its connection: neither can use
 * up the memory and the descriptors of the process.
 */
export function followConnections(
  server: Server,
  limits = defaults,
  proxies: TrustedProxies = noProxies,
): Connections {
  const { mostWaiting, stalledMs } = limits
  const open = new Set<Socket>()
  const waiting = new Map<string, Set<Socket>>()
  const end = createEnding()
  /** How often each connection was found without a request since its last one, during a shutdown. */
  const idleLooks = new Map<Socket, number>()

  function stopWaiting(socket: Socket, address: string): void {
    const same = waiting.get(address)
    if (same?.delete(socket) && same.size === 0) waiting.delete(address)
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const same = waiting.get(remoteAddress) ?? new Set()
    open.add(socket)
    waiting.set(remoteAddress, same.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      idleLooks.delete(socket)
      stopWaiting(socket, remoteAddress)
    })
    if (same.size <= mostWaiting) return
    const most = proxies.has(plain(remoteAddress)) ? mostWaiting * clientsOfProxy : mostWaiting
    const [oldest] = same
    if (same.size > most) oldest?.destroy()
  })
  const watch = setInterval(() => {
    for (const socket of open) if (mayStall(socket)) socket.setTimeout(stalledMs)
  }, stalledMs / 5).unref()
  server.on('close', () => clearInterval(watch))
  server.on('timeout', (socket: Socket) => {
    if (socket.timeout !== stalledMs) end(socket)
    else if (socket.writableLength > 0) socket.destroy()
    else socket.setTimeout(0)
  })

  function endAtThirdLook(socket: Socket): void {
    const looks = (idleLooks.get(socket) ?? 0) + 1
    idleLooks.set(socket, looks)
    if (looks === 3) socket.destroy()
  }

  return {
    noteRequest({ socket }) {
      if (waiting.size > 0) stopWaiting(socket, socket.remoteAddress ?? '')
      if (idleLooks.size > 0) idleLooks.delete(socket)
    },
    noteUpgrade({ socket }) {
      stopWaiting(socket, socket.remoteAddress ?? '')
      open.delete(socket)
    },
    endIdle(idleMs) {
      server.keepAliveTimeout = idleMs
      server.keepAliveTimeoutBuffer = 0
      for (const socket of open) if (isIdle(socket, stalledMs)) socket.setTimeout(idleMs)
      setTimeout(() => {
        for (const same of waiting.values()) for (const socket of same) end(socket)
      }, idleMs).unref()
      // Bytes of a head restart the timeout of a connection: a client could hold a shutdown with one at a time.
      const looking = setInterval(() => {
        for (const socket of open)
          if (!isServed(socket) && !stateOf(socket).isLingering) endAtThirdLook(socket)
        if (open.size === 0) clearInterval(looking)
      }, idleMs).unref()
    },
  }
}

/** Bytes wait for the client, and no timeout is set. Node restarts the timeout whenever it takes some. */
function mayStall({ writableLength, timeout = 0 }: Socket): boolean {
  return writableLength > 0 && timeout === 0
}

/** Node attaches the response to the connection while a request is served. */
function isServed(socket: Socket & { readonly _httpMessage?: object | null }): boolean {
  return socket._httpMessage !== null && socket._httpMessage !== undefined
}

/** Node sets a timeout while a connection waits for a further request. */
function isIdle({ timeout = 0 }: Socket, stalledMs: number): boolean {
  return timeout > 0 && timeout !== stalledMs
}

/**
 * Returns a function that ends idle connections, unless bytes of a request arrive before. The bytes may wait in the
 * system since before the timeout, if other work held the process up, or arrive while a turn of the event loop goes on.
 */
function createEnding(): (socket: Socket) => void {
  let idle: { readonly socket: Socket; readonly bytesRead: number }[] = []
  const endIdle = () => {
    const ending = idle
    idle = []
    for (const { socket, bytesRead } of ending) if (socket.bytesRead === bytesRead) socket.destroy()
  }
  return (socket) => {
    if (idle.push({ socket, bytesRead: socket.bytesRead }) === 1) afterShortTurn(endIdle)
  }
}

/**
 * The requests of one connection that may wait for those before them. Node parses up to 64 KiB of them in one turn,
 * which are fewer.
 */
const mostPipelined = 2_000

/**
 * Whether a request arrives before the one in front of it on its connection is answered: only then does Node keep its
 * response without the connection.
 */
export function isPipelined({ socket }: ServerResponse): boolean {
  return socket === null
}

/**
 * Serves a pipelined request when those before it are answered, in a turn of the event loop of its own: a connection
 * takes part once, as one of a client that waits for its answers. Until then the connection is not read further. One
 * with too many requests ends.
 */
export function serveInTurn(
  request: IncomingMessage,
  response: ServerResponse,
  serve: () => void,
): void {
  const { socket } = request
  const state = stateOf(socket)
  state.waiting++
  if (state.waiting > mostPipelined) {
    socket.destroy()
    return
  }
  socket.pause()
  response.once('socket', () => {
    state.waiting--
    if (state.waiting === 0) socket.resume()
    setImmediate(() => {
      if (!socket.destroyed) serve()
    })
  })
}
