import { createHash } from 'node:crypto'

import { definePlugin, type GatewayPlugin, type Reply, type Understood } from 'dragoman'

import { type Answer, BoundedCache } from './bounded-cache.ts'

export interface AnswerCacheOptions {
  /** Memory for answers, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number
  /** How long an answer is used, in milliseconds. Default: 10 minutes. */
  readonly maxAgeMs?: number
}

/**
 * Answers a request that the same caller has sent before. Streams, and everything that is not in
 * `cacheable`, pass untouched.
 */
export function answerCache(options: AnswerCacheOptions = {}): GatewayPlugin {
  const { maxBytes = 64 * 1024 * 1024, maxAgeMs = 10 * 60_000 } = options
  const answers = new BoundedCache({ maxBytes, maxAgeMs })
  return definePlugin({
    name: 'answer-cache',
    async onCall({ exchange, next }) {
      if (!isCacheable(exchange)) return next()
      const question = hashOf(exchange)
      const known = answers.get(question)
      if (known) return replyFrom(known)
      const reply = await next()
      const answer = answerOf(exchange, reply)
      if (answer) answers.set(question, answer)
      return reply
    },
  })
}

/**
 * Their answers depend on the request alone. `responses.create` is not among them: the provider
 * stores its answers under ids of their own, and later calls continue or delete them.
 */
const cacheable = new Set(['chat.create', 'messages.create', 'generate.create'])

function isCacheable({ operation, call, request }: Understood): boolean {
  const isDeclined = /\bno-(?:cache|store)\b/.test(request.headers['cache-control'] ?? '')
  return cacheable.has(operation.id) && !call.stream && !isDeclined
}

/** Headers that change an answer. */
const significant = ['anthropic-version', 'anthropic-beta']

/** Covers the caller too, so that no caller gets what another one has asked for. */
function hashOf({ caller, operation, model, request, body }: Understood): string {
  const { path, query, headers } = request
  const values = significant.map((name) => headers[name] ?? null)
  const facts = [caller.keyId, operation.id, model.name, path, query, values]
  return createHash('sha256').update(JSON.stringify(facts)).update(body.bytes).digest('base64')
}

/** What the cache keeps of a reply; nothing of errors, and nothing of replies with losses. */
function answerOf(exchange: Understood, { status, headers, body }: Reply): Answer | undefined {
  // `x-dragoman-losses` belongs to one attempt: an answer from the cache could not repeat it.
  const { call, progress } = exchange
  const losses = [...call.losses, ...(progress.attempt?.losses ?? [])]
  if (status !== 200 || losses.length > 0 || !Buffer.isBuffer(body)) return undefined
  // A copy, because the original may be a slice of a larger buffer.
  return { type: headers['content-type'] ?? 'application/json', body: Buffer.from(body) }
}

/** Without the account's other headers: rate limits and timings were those of the first call. */
function replyFrom({ type, body }: Answer): Reply {
  return { status: 200, headers: { 'content-type': type, 'x-answer-cache': 'hit' }, body }
}
