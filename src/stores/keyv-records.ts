import { Keyv } from 'keyv'

import type { RecordsAdapter, StoredEntry } from './adapter.ts'
import { valueInHead } from './envelope-head.ts'
import { openEnvelope, readEnvelope, sealEnvelope } from './envelopes.ts'
import { readMany, valueOf } from './read-many.ts'
import {
  type ListOptions,
  type ListedRecord,
  type Records,
  type RecordsOptions,
  type ScannedRecord,
  type WriteOptions,
} from './store.ts'
import { createUpdateLines, tooBusy } from './update-lines.ts'

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
  { listed = false, isPlain = false }: RecordsOptions = {},
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
    throwOnErrors: true,
    emitErrors: false,
  })
  const update = createUpdateLines<T>(adapter, { isPlain, maxAttempts })

  return {
    // Keyv deletes a record whose `expires` has passed by the clock of this process, even one that another
    // process has written since. The store alone decides what has expired.
    async get(id, options) {
      const found = await adapter.get(checkedId(id))
      return found === undefined ? undefined : ((await readEnvelope(found, options)).value as T)
    },
    async set(id, value, options) {
      if (!isPlain) await keyv.set(checkedId(id), checkedValue(value), checkedTtl(options))
      else await this.setMany([{ ...options, id, value }])
    },
    getMany: (ids, options) => readMany<T>(adapter, ids.map(checkedId), options),
    async setMany(entries) {
      const sealed = entries.map((entry): StoredEntry => {
        const envelope = sealEnvelope(checkedValue(entry.value), checkedTtl(entry))
        return { id: checkedId(entry.id), envelope, ttlMs: entry.ttlMs }
      })
      await adapter.setMany(sealed)
    },
    async add(id, value, options) {
      const ttlMs = checkedTtl(options)
      return await adapter.add(checkedId(id), sealEnvelope(checkedValue(value), ttlMs), ttlMs)
    },
    async update(id, change) {
      return await update(checkedId(id), change)
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
      for (const { id, head, cursor } of page.records) {
        const value = valueInHead(head)
        if (value !== undefined) records.push({ id, value, cursor })
      }
      return { ...page, records }
    },
    async list({ after, limit = defaultLimit, newestFirst = false }: ListOptions = {}) {
      assertListed()
      const order = newestFirst ? 'descending' : 'ascending'
      const stored = await adapter.range(after, limit, order)
      const records: ListedRecord<T>[] = []
      for (const { id, envelope } of stored) {
        records.push({ id, value: valueOf(envelope) as T | undefined })
      }
      return records
    },
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
