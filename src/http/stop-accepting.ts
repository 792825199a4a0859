import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

import { afterShortTurn } from './short-turn.ts'

/**
 * Closes the listening socket of a server; its connections stay open. The system resets connections
 * that are established but not accepted. Node accepts one of them in each turn of the event loop, so the
 * socket is closed right after a short turn without any. Resolves when it is closed; `onEnd` is called
 * when the last connection has ended.
 */
export function stopAccepting(server: Server, onEnd: () => void): Promise<void> {
  let accepted = 0
  const count = () => void accepted++
  server.on('connection', count)
  return new Promise((resolve) => {
    const close = () => {
      server.off('connection', count)
      // `close` of an HTTP server would also close idle connections, on which a request may be on its way.
      NetServer.prototype.close.call(server, () => {
        // Once more, without any connection: this ends the timer that checks them, and so frees the server.
        server.close()
        onEnd()
      })
      resolve()
    }
    afterShortTurn(close, () => accepted)
  })
}
