import { Keyv, type KeyvOptions } from 'keyv'

import type { RecordsAdapter } from './adapter.ts'
import type { ListOptions, Records, WriteOptions } from './store.ts'
import { StoreUnavailable } from './store.ts'

type Deserialize = NonNullable<KeyvOptions['deserialize']>

const defaultLimit = 1000

/**
 * Records with Keyv in front of one adapter. Keyv has neither ordered lists nor set-if-absent, so
 * these two go to the adapter itself, in Keyv's envelope.
 */
export function keyvRecords<T>(namespace: string, adapter: RecordsAdapter): Records<T> {
  const keyv = new Keyv<T>({
    // A Keyv writes its namespace into its adapter: an adapter shared by two reads across them.
    store: adapter,
    namespace,
    useKeyPrefix: false,
    serialize: JSON.stringify,
    deserialize: openEnvelope as Deserialize,
    // Without it a failed read resolves undefined, which is what a miss looks like.
    throwOnErrors: true,
    emitErrors: false,
  })

  return {
    async get(id) {
      return await keyv.get<T>(checkedId(id))
    },
    async set(id, value, options) {
      await keyv.set(checkedId(id), checkedValue(value), checkedTtl(options))
    },
    async add(id, value, options) {
      const ttlMs = checkedTtl(options)
      const expires = ttlMs === undefined ? undefined : Date.now() + ttlMs
      const envelope = JSON.stringify({ value: checkedValue(value), expires })
      return await adapter.add(checkedId(id), envelope, ttlMs)
    },
    async delete(id) {
      return await keyv.delete(checkedId(id))
    },
    async list({ after, limit = defaultLimit }: ListOptions = {}) {
      const stored = await adapter.range(after, limit)
      return stored.map(({ id, envelope }) => ({
        id,
        value: openEnvelope(envelope).value as T,
      }))
    },
  }
}

function openEnvelope(text: string): { value: unknown } {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new StoreUnavailable('A record in the store is damaged.', { cause })
  }
}

function checkedId(id: string): string {
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  throw new TypeError('A record identifier must be a non-empty string of whole characters.')
}

function checkedValue<V>(value: V): V {
  if (value !== undefined) return value
  throw new TypeError('undefined cannot be stored: it is what a missing record reads as.')
}

function checkedTtl(options: WriteOptions | undefined): number | undefined {
  const ttlMs = options?.ttlMs
  // Keyv takes 0 for "never expires", the opposite of what a computed 0 means.
  if (ttlMs === undefined || ttlMs > 0) return ttlMs
  throw new RangeError(`ttlMs must be above zero, but is ${ttlMs}.`)
}
