import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** The turns of the event loop to wait for one without a new connection. */
const mostTurns = 1_000

/** A turn that is short enough for a client not to have connected meanwhile, in milliseconds. */
const shortTurnMs = 0.2

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
    const turn = (turns: number, before: number, since: number) => {
      const now = performance.now()
      const isQuiet = accepted === before && now - since < shortTurnMs
      if (!isQuiet && turns > 0) return void setImmediate(turn, turns - 1, accepted, now)
      server.off('connection', count)
      // `close` of an HTTP server would also close idle connections, on which a request may be on its way.
      NetServer.prototype.close.call(server, onEnd)
      resolve()
    }
    turn(mostTurns, -1, 0)
  })
}
