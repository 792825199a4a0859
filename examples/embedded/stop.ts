import type { Server } from 'node:http'

import type { RunningGateway } from 'dragoman'

export interface StopOptions {
  readonly running: RunningGateway
  readonly server: Server
  /** How long requests under way may take, in milliseconds. */
  readonly withinMs: number
}

/** How long streams have to send the error that ends them. */
const lastWordsMs = 500

/** Ends a server and its gateway: no new connections, and time for the requests under way. */
export async function stop({ running, server, withinMs }: StopOptions): Promise<void> {
  // From now on `/readyz` answers 503, and every answer asks its client to close the connection.
  running.health.draining = true
  running.gateway.drain()
  const interrupt = setTimeout(() => running.gateway.interrupt(), withinMs)
  const close = setTimeout(() => server.closeAllConnections(), withinMs + lastWordsMs)
  await new Promise((resolve) => server.close(resolve))
  clearTimeout(interrupt)
  clearTimeout(close)
  // Closes the connections to the accounts, the plugins and the store.
  await running[Symbol.asyncDispose]()
}
