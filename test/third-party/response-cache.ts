import { createHash } from 'node:crypto'

import { definePlugin, type GatewayPlugin, type Reply, type Understood } from '../../src/index.ts'

export interface ResponseCacheOptions {
  /** How many replies are kept; the oldest goes first. */
  readonly size?: number
}

/** Answers a request that the same caller has made before with the reply that it got then. */
export function responseCache({ size = 1_000 }: ResponseCacheOptions = {}): GatewayPlugin {
  if (!Number.isInteger(size) || size < 1) throw new Error('responseCache: size must be above 0.')
  const replies = new Map<string, Reply>()

  return definePlugin({
    name: 'response-cache',
    async onCall({ exchange, next }) {
      if (exchange.call.stream) return next()
      const name = nameOf(exchange)
      const known = replies.get(name)
      if (known) return known
      const reply = await next()
      if (reply.status === 200) keep(name, reply)
      return reply
    },
  })

  /** Of the headers only the type: limits and timings were those of the first answer. */
  function keep(name: string, { status, headers, body }: Reply): void {
    const [oldest] = replies.keys()
    if (oldest !== undefined && replies.size >= size) replies.delete(oldest)
    const type = headers['content-type'] ?? 'application/json'
    replies.set(name, { status, headers: { 'content-type': type, 'x-cache': 'hit' }, body })
  }
}

/** All that the reply depends on, the caller included: nobody gets what another has asked for. */
function nameOf({ caller, request, body, model }: Understood): string {
  const facts = [caller.keyId, request.method, request.path, request.query, model.name]
  return createHash('sha256').update(JSON.stringify(facts)).update(body.bytes).digest('hex')
}
