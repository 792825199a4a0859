import type { Duplex } from 'node:stream'

/** How long a connection reads and drops after its last answer, in milliseconds. */
const lingerMs = 5_000

const lingering = new WeakSet<Duplex>()

/** Whether a connection lingers after its last answer, for a bounded time. */
export function isLingering(socket: Duplex): boolean {
  return lingering.has(socket)
}

/**
 * Ends the own side of a connection after its last answer, and drops incoming bytes until the client
 * ends its side or time is up. Closing at once would reset the connection of a client that is still
 * sending, and destroy the answer on its way.
 */
export function linger(socket: Duplex): void {
  lingering.add(socket)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end()
}
