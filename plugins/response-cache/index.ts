import { pipeline, Readable, Transform } from 'node:stream'
import { z } from 'zod'
import { compilePatterns } from '../../src/accounts/patterns.ts'
import type { Ended, Understood } from '../../src/contract/exchange.ts'
import type { Outcome, Reply } from '../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import type { PluginRecords } from '../../src/contract/plugin-start.ts'
import { lossesHeader, lossesOfExchange } from '../../src/exchange/deliver.ts'
import { CollectedReply, type CollectingMemory } from './collected-reply.ts'
import { isCacheable, nameOf } from './question.ts'
import { type StoredReply, header, readStoredReply, replay, storedReply } from './stored-reply.ts'

/** The options. */
export const options = z.strictObject({
  /** How long a reply answers the same request, in seconds. */
  ttlSeconds: z
    .int()
    .min(1)
    .max(30 * 24 * 3_600)
    .default(3_600),
  /** The models whose replies are kept: names and patterns. */
  models: z.array(z.string().min(1)).min(1).default(['*']),
  /** `zero`: only replies to requests with a temperature of 0. `any`: others too, so that they repeat themselves. */
  temperature: z.enum(['zero', 'any']).default('zero'),
  /** `key`: a key gets replies to its own requests only. `all`: all keys that may use the model share them. */
  share: z.enum(['key', 'all']).default('key'),
  /** The longest reply that is kept, in bytes. */
  maxBytes: z
    .int()
    .min(1_024)
    .max(16 * 1024 * 1024)
    .default(256 * 1024),
  /** The most bytes that a process keeps in the store. The oldest replies leave first. */
  maxStoredBytes: z
    .int()
    .min(1024 * 1024)
    .default(256 * 1024 * 1024),
})

/** The memory of a process for replies on their way, in bytes. Others are not kept. */
const collectingBytes = 64 * 1024 * 1024

/**
 * Answers a request for text with the reply that an equal one got before, streams included. Equal are all bytes of
 * the body, the path and the model. No account is asked. Only whole, successful replies are kept, in the store of the
 * gateway, in clear text. While the store is away, accounts answer.
 */
export default function responseCache(given: z.input<typeof options> = {}): GatewayPlugin {
  const settings = options.parse(given)
  const { maxBytes, share, temperature } = settings
  const ttlMs = settings.ttlSeconds * 1_000
  const isKept = compilePatterns(settings.models)
  /** The reply of each call that is collected, or that the call was a hit. */
  const asked = new WeakMap<object, CollectedReply | 'hit'>()
  const memory: CollectingMemory = { left: collectingBytes }
  const storedBytes = new StoredBytes(settings.maxStoredBytes)
  let replies: PluginRecords<StoredReply> | undefined
  let pipeline = ''

  async function find(name: string): Promise<StoredReply | undefined> {
    return readStoredReply(await replies?.get(name).catch(() => undefined))
  }

  /** A reply that is not kept costs its client nothing. */
  function keep({ name, content, type }: CollectedReply, losses: string | undefined): void {
    const kept = storedReply({ type, content, losses })
    void replies?.set(name, kept, { ttlMs }).catch(() => {})
    const size = { bytes: kept.body.length, until: Date.now() + ttlMs }
    for (const oldest of storedBytes.add(name, size)) void replies?.delete(oldest).catch(() => {})
  }

  async function answer(exchange: Understood, next: () => Promise<Reply>): Promise<Reply> {
    const name = nameOf(exchange, share, pipeline)
    const cacheControl = exchange.request.headers['cache-control']?.toLowerCase() ?? ''
    const known = /no-(?:cache|store)/.test(cacheControl) ? undefined : await find(name)
    if (known) {
      asked.set(exchange, 'hit')
      return replay(known)
    }
    const reply = await next()
    const headers = { ...reply.headers, [header]: 'miss' }
    if (reply.status !== 200 || cacheControl.includes('no-store')) return { ...reply, headers }
    const collected = new CollectedReply(
      name,
      reply.headers['content-type'] ?? '',
      maxBytes,
      memory,
    )
    asked.set(exchange, collected)
    return { ...reply, headers, body: collect(reply.body, collected) }
  }

  return definePlugin({
    name: 'response-cache',
    onStart({ records, pipelineFingerprint }) {
      pipeline = pipelineFingerprint
      replies = records<StoredReply>('replies')
    },
    onCall({ exchange, next }) {
      const isAsked = isKept(exchange.model.name) && isCacheable(exchange, temperature)
      return isAsked ? answer(exchange, next) : next()
    },
    onAccessLog: ({ exchange }) => (asked.get(exchange) === 'hit' ? { hit: true } : undefined),
    onEnd({ exchange, summary }) {
      const collected = asked.get(exchange)
      if (!collected || collected === 'hit') return
      if (collected.isWhole && summary.end === 'complete' && succeeded(exchange)) {
        const losses = lossesOfExchange(exchange)
        keep(collected, losses.length > 0 ? lossesHeader(losses) : undefined)
      }
      collected.release()
    },
  })
}

function succeeded({ progress: { outcome, error } }: Ended): boolean {
  return outcome?.status === 'completed' && error === undefined && !isHeld(outcome)
}

/** Whether the account holds a state of the caller's for the reply. Items are sent along by who goes on with them. */
function isHeld({ discloses = [] }: Outcome): boolean {
  return discloses.some(({ kind }) => kind !== 'item')
}

/** The same body, whose bytes are collected as they pass. */
function collect(body: Reply['body'], collected: CollectedReply): Reply['body'] {
  if (body instanceof Readable) return pipeline(body, collectorOf(collected), () => {})
  if (body !== null) collected.add(body)
  collected.isWhole = true
  return body
}

function collectorOf(collected: CollectedReply): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      collected.add(chunk)
      done(null, chunk)
    },
    flush(done) {
      collected.isWhole = true
      done()
    },
  })
}

/** A reply in the store. */
interface Entry {
  readonly bytes: number
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Counts the bytes that this process has stored, so that the store does not grow without an end. */
class StoredBytes {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Adds a reply. Returns the names of the oldest ones, which have to leave the store. */
  add(name: string, entry: Entry, now = Date.now()): string[] {
    this.#forget(name)
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
    const leaving: string[] = []
    for (const [oldest, { until }] of this.#entries) {
      const isOver = until <= now
      if (!isOver && this.#bytes <= this.#most) break
      this.#forget(oldest)
      // The store has deleted the expired replies.
      if (!isOver) leaving.push(oldest)
    }
    return leaving
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
  }
}
