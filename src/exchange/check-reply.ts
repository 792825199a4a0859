import { Readable } from 'node:stream'

import type { Reply } from '../contract/outcome.ts'

/**
 * Plugins are code of other people, and what they return goes straight to a connection. Throws where
 * it is no reply.
 */
export function checkReply(reply: Reply): Reply {
  const { status, headers, body } = Object(reply) as Partial<Reply>
  const hasBody =
    body === null || typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
  const hasStatus = Number.isInteger(status) && (status ?? 0) >= 200 && (status ?? 0) < 600
  if (hasBody && hasStatus && typeof headers === 'object') return reply
  throw new TypeError('A hook returned something that is no reply.')
}
