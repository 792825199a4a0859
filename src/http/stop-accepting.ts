import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

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

/** How long to wait for a short turn of the event loop after the last change of the count, and in all. Milliseconds. */
const patienceMs = 1_000
const mostMs = 5_000

/** A turn in which hardly any bytes can have arrived unseen, at first and later. Milliseconds. */
const shortTurnMs = (waitedMs: number) => (waitedMs < patienceMs / 2 ? 0.05 : 0.5)

/**
 * Calls `act` right after a short turn of the event loop, in which `count` has not changed: nothing has arrived that
 * Node has not read, but within the last microseconds. On a process that has no short turn, such as one that works in
 * turns of some milliseconds, `act` is called after a second without a change: a shutdown waits for it.
 */
export function afterShortTurn(act: () => void, count: () => number = () => 0): void {
  const begunAt = performance.now()
  const next = (before: number, changedAt: number, since: number) => {
    const now = performance.now()
    const hasChanged = count() !== before
    const waitedMs = hasChanged ? 0 : now - changedAt
    const isShort = !hasChanged && now - since < shortTurnMs(waitedMs)
    if (isShort || waitedMs > patienceMs || now - begunAt > mostMs) act()
    else setImmediate(next, count(), hasChanged ? now : changedAt, now)
  }
  setImmediate(next, count(), begunAt, begunAt)
}
