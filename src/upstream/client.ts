import { Agent, type Dispatcher } from 'undici'

import type { Outbound } from '../plugin.ts'

export interface UpstreamClient {
  /** Sends a request; everything that follows is told to the handler, failures too. */
  send(outbound: Outbound, handler: Dispatcher.DispatchHandler): void
  close(): Promise<void>
}

/** Idle connections are dropped before common servers and load balancers drop them. */
const keepAliveMs = 30_000

/**
 * A keep-alive pool for every origin. Redirects are never followed: a credential could travel with
 * them. Deadlines beyond connecting are the caller's, since undici's are coarse and cannot tell a
 * stalled upstream from a client that reads slowly.
 */
export function createUpstreamClient(options: { connectMs: number }): UpstreamClient {
  const agent = new Agent({
    allowH2: false,
    bodyTimeout: 0,
    headersTimeout: 0,
    connect: { timeout: options.connectMs },
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    pipelining: 1,
  })
  return {
    send({ origin, method, path, headers, body }, handler) {
      agent.dispatch({ origin, path, method, headers, body }, handler)
    },
    close: () => agent.destroy(),
  }
}
