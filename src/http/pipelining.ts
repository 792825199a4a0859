import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * The requests of one connection that may wait for those before them. Node parses up to 64 KiB of them in one turn,
 * which are fewer.
 */
const mostWaiting = 2_000

const waiting = new WeakMap<Socket, number>()

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
  const count = (waiting.get(socket) ?? 0) + 1
  waiting.set(socket, count)
  if (count > mostWaiting) {
    socket.destroy()
    return
  }
  socket.pause()
  response.once('socket', () => {
    const left = (waiting.get(socket) ?? 1) - 1
    waiting.set(socket, left)
    if (left === 0) socket.resume()
    setImmediate(() => {
      if (!socket.destroyed) serve()
    })
  })
}
