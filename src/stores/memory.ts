import { randomBytes, randomUUID } from 'node:crypto'

import {
  type AdapterScan,
  type RecordsAdapter,
  type StoredPage,
  type StoredValue,
  headLength,
} from './adapter.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { openEnvelope } from './envelopes.ts'
import { keyvRecords } from './keyv-records.ts'
import { createMemoryBus } from './memory-bus.ts'
import { memoryCounters } from './memory-counters.ts'
import { memoryMeter } from './memory-meter.ts'
import { memoryLedger } from './memory-ledger.ts'
import { type SortedIds, createIds } from './sorted-ids.ts'
import {
  type Counters,
  InvalidCursor,
  type RecordsOptions,
  type Store,
  StoreUnavailable,
} from './store.ts'

interface Entry {
  envelope: string
  expires: number
  /** The place in the order of a scan: entries that were added later have a greater number. */
  number: number
}

/** The state of a store in memory. */
interface MemoryState {
  /** Distinguishes its cursors from the cursors of another process. */
  readonly id: string
  /** The number of the last entry. */
  last: number
  closed: boolean
}

/** The records of one namespace. */
interface Namespace {
  readonly options: RecordsOptions | undefined
  version: number
  readonly entries: Map<string, Entry>
  /** In the order of lists. */
  readonly ids: SortedIds
}

/** A store in memory. */
interface MemoryStore extends Store {
  /** Writes all records to another store, until one of this id exists there; whether all are written. */
  copyTo(target: Pick<Store, 'records'>): Promise<boolean>
}

/** A store in memory, lost with the process. For tests, and for gateways with configured keys. */
export function openMemoryStore(): MemoryStore {
  const namespaces = new Map<string, Namespace>()
  const counters = new Map<string, Counters>()
  const state: MemoryState = { id: randomUUID(), last: 0, closed: false }
  const secretKey = randomBytes(32).toString('base64url')
  const busOf = createMemoryBus()
  const meter = memoryMeter(() => assertOpen(state))
  const ledger = memoryLedger()
  const adapterOf = (name: string, options: RecordsOptions | undefined) => {
    const namespace = namespaces.get(name) ?? createNamespace(options)
    namespaces.set(name, namespace)
    return memoryAdapter(namespace, state)
  }

  return {
    records: (namespace, options) => keyvRecords(namespace, adapterOf(namespace, options), options),
    counters(namespace) {
      const known = counters.get(namespace) ?? memoryCounters(() => assertOpen(state))
      counters.set(namespace, known)
      return known
    },
    meter: () => meter,
    ledger: () => ledger,
    ownSecretKey: () => secretKey,
    openBus: async (self) => busOf(self),
    async copyTo(target) {
      const now = Date.now()
      for (const [name, { options, entries }] of namespaces) {
        const live = [...entries].filter(([, { expires }]) => expires > now)
        const records = target.records(name, options)
        for (const [id, { envelope, expires }] of live) {
          const { value } = openEnvelope(envelope)
          if (!(await records.add(id, value, expires < Infinity ? { ttlMs: expires - now } : {}))) {
            return false
          }
        }
      }
      return true
    },
    async close() {
      state.closed = true
      ledger.close()
      namespaces.clear()
      counters.clear()
    },
  }
}

function createNamespace(options: RecordsOptions | undefined): Namespace {
  const entries = new Map<string, Entry>()
  return { options, version: 0, entries, ids: createIds(entries) }
}

function memoryAdapter(namespace: Namespace, state: MemoryState): RecordsAdapter {
  const { entries, ids } = namespace
  const remove = (id: string): boolean => {
    ids.delete(id)
    return entries.delete(id)
  }
  const live = (id: string): Entry | undefined => {
    assertOpen(state)
    const entry = entries.get(id)
    if (!entry || entry.expires > Date.now()) return entry
    remove(id)
    return undefined
  }
  const write = (id: string, envelope: string, ttlMs: number | undefined): void => {
    assertOpen(state)
    namespace.version += 1
    const expires = ttlMs === undefined ? Infinity : Date.now() + ttlMs
    const known = entries.get(id)
    // A map keeps the place of an entry that is written again.
    entries.set(id, { envelope, expires, number: known?.number ?? ++state.last })
    if (!known) ids.add(id)
  }

  return {
    get: (id) => live(id)?.envelope,
    getMany: (ids) => ids.map((id) => live(id)?.envelope),
    set: write,
    setMany(entries) {
      for (const { id, envelope, ttlMs } of entries) write(id, envelope, ttlMs)
    },
    replace(id, expected, envelope) {
      const entry = live(id)
      if (entry?.envelope !== expected) return false
      namespace.version += 1
      entry.envelope = envelope
      return true
    },
    version() {
      assertOpen(state)
      return String(namespace.version)
    },
    add(id, envelope, ttlMs) {
      if (live(id)) return false
      write(id, envelope, ttlMs)
      return true
    },
    delete(id) {
      const found = live(id) !== undefined
      if (found) namespace.version += 1
      return remove(id) && found
    },
    deleteIf(id, expected) {
      if (live(id)?.envelope !== expected) return false
      namespace.version += 1
      return remove(id)
    },
    clear() {
      assertOpen(state)
      namespace.version += 1
      for (const id of entries.keys()) remove(id)
    },
    scan(options) {
      assertOpen(state)
      return scanEntries(entries, state, options)
    },
    range(after, limit, order) {
      assertOpen(state)
      const found: StoredValue[] = []
      const expired: string[] = []
      const now = Date.now()
      for (const id of ids.from(after, order)) {
        if (found.length === limit) break
        const { envelope, expires } = entries.get(id)!
        if (expires > now) found.push({ id, envelope })
        else expired.push(id)
      }
      for (const id of expired) remove(id)
      return found
    },
  }
}

/** Entries in the order in which they were added. */
function scanEntries(
  entries: ReadonlyMap<string, Entry>,
  { id: store }: MemoryState,
  { cursor, limit, prefix = '', wants }: AdapterScan,
): StoredPage {
  const [owner, place = '0'] = cursor === undefined ? [store] : openCursor(cursor, 2)
  if (owner !== store || !/^\d{1,15}$/.test(place)) throw new InvalidCursor()
  const after = Number(place)
  const records = []
  let examined = 0
  let next: string | undefined
  for (const [id, { envelope, expires, number }] of entries) {
    if (number <= after) continue
    if (examined === limit) return { records, examined, ...(next !== undefined && { next }) }
    examined++
    next = sealCursor([store, String(number)])
    if (expires <= Date.now() || !id.startsWith(prefix) || wants?.(id) === false) continue
    records.push({ id, head: envelope.slice(0, headLength), cursor: next })
  }
  return { records, examined }
}

function assertOpen(state: Pick<MemoryState, 'closed'>): void {
  if (state.closed) throw new StoreUnavailable('The store has been closed.')
}
