import { Agent, type Dispatcher } from 'undici'

import type { Outbound, UpstreamClient } from '../contract/attempt.ts'
import { createTrackedPool } from './tracked-client.ts'

/** Idle connections close after this time, before common servers and load balancers close them. */
const keepAliveMs = 30_000

/**
 * Creates a client with a keep-alive pool per origin. It never follows redirects, since a credential
 * could go with them. It only limits the time to connect (`connectMs`); its user enforces all other
 * deadlines, since those of undici are coarse and cannot distinguish a stalled upstream from a slow
 * client.
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
    factory: createTrackedPool,
  })
  return {
    send: (outbound, handler) => dispatch(agent, outbound, handler),
    close: () => agent.destroy(),
  }
}

/** Sends a request through `agent`. `handler` receives the reply or the failure. */
function dispatch(
  agent: Dispatcher,
  { origin, method, path, headers, body }: Outbound,
  handler: Dispatcher.DispatchHandler,
): void {
  if (body === null || Buffer.isBuffer(body)) {
    agent.dispatch({ origin, path, method, headers, body }, handler)
    return
  }
  // Many providers refuse chunked uploads, so the length is stated.
  const sized = { ...headers, 'content-length': String(body.length) }
  agent.dispatch({ origin, path, method, headers: sized, body: body.open() }, handler)
}
