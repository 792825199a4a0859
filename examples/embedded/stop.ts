import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

import type { RunningGateway } from 'dragoman'

export interface StopOptions {
  readonly running: RunningGateway
  readonly server: Server
  /** How long requests under way may take, in milliseconds. */
  readonly withinMs: number
}

/** How long streams have to send the error that ends them. */
const lastWordsMs = 500

/** How long idle connections live on, in milliseconds: a request may be on its way on them. */
const idleMs = 1_000

/** Ends a server and its gateway: no new connections, and time for the requests under way. */
export async function stop({ running, server, withinMs }: StopOptions): Promise<void> {
  // From now on `/readyz` answers 503.
  running.health.draining = true
  // `server.close()` would end idle connections at once.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  // Every answer asks its client to close the connection.
  running.gateway.drain()
  const idle = setInterval(() => server.closeIdleConnections(), idleMs)
  const interrupt = setTimeout(() => running.gateway.interrupt(), withinMs)
  const close = setTimeout(() => server.closeAllConnections(), withinMs + lastWordsMs)
  await closed
  clearInterval(idle)
  clearTimeout(interrupt)
  clearTimeout(close)
  // Closes the connections to the accounts, the plugins and the store.
  await running[Symbol.asyncDispose]()
}
