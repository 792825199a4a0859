import { Keyv, type KeyvOptions } from 'keyv'

import { Turns } from '../lib/turns.ts'
import type { RecordsAdapter } from './adapter.ts'
import { valueInHead } from './envelope-head.ts'
import {
  type ListOptions,
  type ListedRecord,
  type Records,
  type RecordsOptions,
  type ScannedRecord,
  StoreUnavailable,
  UnreadableRecord,
  type WriteOptions,
} from './store.ts'

type Deserialize = NonNullable<KeyvOptions['deserialize']>

const defaultLimit = 1000

/** The number of records that a scan examines. */
const defaultScan = 250

/** The number of attempts at an update that other writers may defeat. */
const maxAttempts = 50

/**
 * Records on one adapter, through Keyv. Keyv lacks ordered lists and atomic operations, and it
 * makes several calls for several keys: these operations call the adapter directly, with Keyv's
 * envelopes.
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
    // A Keyv sets its namespace on its adapter, so two of them must not share an adapter.
    store: adapter,
    namespace,
    useKeyPrefix: false,
    serialize: JSON.stringify,
    deserialize: openForKeyv as Deserialize,
    // Without it, a failed read resolves with undefined, like a missing record.
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
      return envelopes.map((envelope) => valueIn(envelope) as T | undefined)
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
      for (let attempts = 0; attempts < maxAttempts; attempts++) {
        const found = await adapter.get(checkedId(id))
        if (found === undefined) return undefined
        const envelope = openEnvelope(found)
        const changed = change(structuredClone(envelope.value) as T)
        if (changed === undefined) return envelope.value as T
        const next = JSON.stringify({ ...envelope, value: changed })
        if (await adapter.replace(id, found, next)) return changed
      }
      throw tooBusy()
    },
    async delete(id) {
      return await keyv.delete(checkedId(id))
    },
    async deleteIf(id, matches) {
      for (let attempts = 0; attempts < maxAttempts; attempts++) {
        const found = await adapter.get(checkedId(id))
        if (found === undefined || !matches(openEnvelope(found).value as T)) return false
        if (await adapter.deleteIf(id, found)) return true
      }
      throw tooBusy()
    },
    async version() {
      assertListed()
      return await adapter.version()
    },
    async scan({ limit = defaultScan, ...options } = {}) {
      const page = await adapter.scan({ ...options, limit })
      const records: ScannedRecord[] = []
      const turns = new Turns()
      for (const { id, head, cursor } of page.records) {
        const value = valueInHead(head)
        if (value !== undefined) records.push({ id, value, cursor })
        if (turns.isOver) await turns.next()
      }
      return { ...page, records }
    },
    async list({ after, limit = defaultLimit, newestFirst = false }: ListOptions = {}) {
      assertListed()
      const order = newestFirst ? 'descending' : 'ascending'
      const stored = await adapter.range(after, limit, order)
      const records: ListedRecord<T>[] = []
      const turns = new Turns()
      for (const { id, envelope } of stored) {
        records.push({ id, value: valueIn(envelope) as T | undefined })
        if (turns.isOver) await turns.next()
      }
      return records
    },
  }
}

function tooBusy(): StoreUnavailable {
  return new StoreUnavailable('A change failed: other writers changed the record each time.')
}

/** An envelope in Keyv's format. */
function sealEnvelope(value: unknown, ttlMs: number | undefined): string {
  const expires = ttlMs === undefined ? undefined : Date.now() + ttlMs
  return JSON.stringify({ value: checkedValue(value), expires })
}

function openEnvelope(text: string): { value: unknown } {
  let envelope: unknown
  try {
    envelope = JSON.parse(text)
  } catch {
    // The parser's own message quotes the record, which may be private.
    throw new UnreadableRecord()
  }
  if (isEnvelope(envelope)) return envelope
  throw new UnreadableRecord()
}

/**
 * Keyv deletes a record whose `expires` has passed by the clock of this process, even one that another
 * process has written since. The store alone decides what has expired.
 */
function openForKeyv(text: string): { value: unknown } {
  return { value: openEnvelope(text).value }
}

function isEnvelope(json: unknown): json is { value: unknown } {
  return typeof json === 'object' && json !== null && 'value' in json
}

/** The value of one record among several, which a damaged one must not take away. */
function valueIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : openEnvelope(text).value
  } catch {
    return undefined
  }
}

function checkedId(id: string): string {
  if (typeof id === 'string' && id !== '' && id.isWellFormed()) return id
  throw new TypeError('A record id must be a non-empty, well-formed string.')
}

function checkedValue<V>(value: V): V {
  if (value !== undefined) return value
  throw new TypeError('`undefined` cannot be stored: it stands for a missing record.')
}

function checkedTtl(options: WriteOptions | undefined): number | undefined {
  const ttlMs = options?.ttlMs
  // For Keyv, 0 means "never expires": the opposite of a computed 0.
  if (ttlMs === undefined || ttlMs > 0) return ttlMs
  throw new RangeError(`\`ttlMs\` must be greater than zero, but is ${ttlMs}.`)
}
