import { Agent, type Dispatcher } from 'undici'

import type { Outbound, UpstreamClient } from '../contract/attempt.ts'
import { countingPool } from './counting-client.ts'

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
    factory: countingPool,
  })
  return {
    send: (outbound, handler) => dispatch(agent, outbound, handler),
    close: () => agent.destroy(),
  }
}

/** Sends a request through connections of one's own. */
export function dispatch(
  agent: Dispatcher,
  { origin, method, path, headers, body }: Outbound,
  handler: Dispatcher.DispatchHandler,
): void {
  if (body === null || Buffer.isBuffer(body)) {
    agent.dispatch({ origin, path, method, headers, body }, handler)
    return
  }
  // With a length, since many providers refuse chunked uploads.
  const sized = { ...headers, 'content-length': String(body.length) }
  agent.dispatch({ origin, path, method, headers: sized, body: body.open() }, handler)
}
