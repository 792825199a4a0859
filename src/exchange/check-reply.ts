import { Readable } from 'node:stream'

import type { Received } from '../contract/exchange.ts'
import type { Reply } from '../contract/outcome.ts'

/** Returns a plugin's reply, which goes straight to a connection. Throws `TypeError` if it is malformed. */
export function checkReply(reply: Reply): Reply {
  const { status, headers, body } = Object(reply) as Partial<Reply>
  const hasBody =
    body === null || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
  const hasStatus = Number.isInteger(status) && (status ?? 0) >= 200 && (status ?? 0) < 600
  if (hasBody && hasStatus && typeof headers === 'object') return reply
  throw new TypeError('A hook returned a value that is not a reply: { status, headers, body }.')
}

/**
 * Adds `x-request-id`, and `x-trace-id` if the exchange is traced, which a plugin's reply may lack. Throws
 * as `checkReply` does.
 */
export function withIds({ id, progress: { trace } }: Received, unchecked: Reply): Reply {
  const reply = checkReply(unchecked)
  const hasTrace = !trace || reply.headers['x-trace-id'] === trace.traceId
  if (reply.headers['x-request-id'] === id && hasTrace) return reply
  const ids = { 'x-request-id': id, ...(trace && { 'x-trace-id': trace.traceId }) }
  return { ...reply, headers: { ...reply.headers, ...ids } }
}
