import { Keyv, type KeyvOptions } from 'keyv'

import type { RecordsAdapter } from './adapter.ts'
import {
  type ListOptions,
  type Records,
  type RecordsOptions,
  StoreUnavailable,
  type WriteOptions,
} from './store.ts'

type Deserialize = NonNullable<KeyvOptions['deserialize']>

const defaultLimit = 1000

/** Somebody else was faster so often in a row that something must be wrong. */
const mostRaces = 50

/**
 * Records with Keyv in front of one adapter. Keyv has neither ordered lists nor anything atomic, and
 * several keys at once are several calls to it, so these go to the adapter itself, in Keyv's
 * envelope.
 */
export function keyvRecords<T>(
  namespace: string,
  adapter: RecordsAdapter,
  { listed = false }: RecordsOptions = {},
): Records<T> {
  const assertListed = () => {
    if (!listed) throw new TypeError(`The namespace "${namespace}" is not listed.`)
  }
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
    async getMany(ids) {
      const envelopes = await adapter.getMany(ids.map(checkedId))
      return envelopes.map((envelope) =>
        envelope === undefined ? undefined : (openEnvelope(envelope).value as T),
      )
    },
    async setMany(entries) {
      await adapter.setMany(
        entries.map((entry) => ({
          id: checkedId(entry.id),
          envelope: sealEnvelope(entry.value, checkedTtl(entry)),
          ttlMs: entry.ttlMs,
        })),
      )
    },
    async add(id, value, options) {
      const ttlMs = checkedTtl(options)
      return await adapter.add(checkedId(id), sealEnvelope(value, ttlMs), ttlMs)
    },
    async update(id, change) {
      for (let races = 0; races < mostRaces; races++) {
        const found = await adapter.get(checkedId(id))
        if (found === undefined) return undefined
        const envelope = openEnvelope(found)
        const changed = change(structuredClone(envelope.value) as T)
        if (changed === undefined) return envelope.value as T
        const next = JSON.stringify({ ...envelope, value: changed })
        if (await adapter.replace(id, found, next)) return changed
      }
      throw new StoreUnavailable('A record changed too often to be changed.')
    },
    async delete(id) {
      return await keyv.delete(checkedId(id))
    },
    async version() {
      assertListed()
      return await adapter.version()
    },
    async list({ after, limit = defaultLimit }: ListOptions = {}) {
      assertListed()
      const stored = await adapter.range(after, limit)
      return stored.map(({ id, envelope }) => ({
        id,
        value: openEnvelope(envelope).value as T,
      }))
    },
  }
}

/** As Keyv writes it. */
function sealEnvelope(value: unknown, ttlMs: number | undefined): string {
  const expires = ttlMs === undefined ? undefined : Date.now() + ttlMs
  return JSON.stringify({ value: checkedValue(value), expires })
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
