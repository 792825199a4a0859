import type { Duplex } from 'node:stream'

/** How long a connection reads and drops after its last answer, in milliseconds. */
const lingerMs = 5_000

/**
 * Ends the own side of a connection after its last answer, and drops incoming bytes until the client
 * ends its side or time is up. Closing at once would reset the connection of a client that is still
 * sending, and destroy the answer on its way.
 */
export function linger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.end()
}
