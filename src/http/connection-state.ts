import type { Duplex } from 'node:stream'

import { computedOnce } from '../lib/computed-once.ts'

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
