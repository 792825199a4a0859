import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

import { afterShortTurn } from './short-turn.ts'
import { type TrustedProxies, noProxies, plain } from './trusted-proxies.ts'

/** What the clients of a server may do with its connections. */
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
  /** Ends each connection that is without a request for `idleMs` milliseconds. */
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
  return {
    noteRequest({ socket }) {
      if (waiting.size > 0) stopWaiting(socket, socket.remoteAddress ?? '')
    },
    endIdle(idleMs) {
      server.keepAliveTimeout = idleMs
      server.keepAliveTimeoutBuffer = 0
      for (const socket of open) if (isIdle(socket, stalledMs)) socket.setTimeout(idleMs)
      setTimeout(() => {
        for (const same of waiting.values()) for (const socket of same) end(socket)
      }, idleMs).unref()
    },
  }
}

/** Bytes wait for the client, and no timeout is set. Node restarts the timeout whenever it takes some. */
function mayStall({ writableLength, timeout = 0 }: Socket): boolean {
  return writableLength > 0 && timeout === 0
}

/** Node sets a timeout while a connection waits for a further request. */
function isIdle({ timeout = 0 }: Socket, stalledMs: number): boolean {
  return timeout > 0 && timeout !== stalledMs
}

/**
 * Returns what ends idle connections, unless bytes of a request arrive before. They may wait in the system since
 * before the timeout, if other work held the process up, or arrive while a turn of the event loop goes on.
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
