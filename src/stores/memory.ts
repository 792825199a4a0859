import { randomBytes, randomUUID } from 'node:crypto'

import {
  type AdapterScan,
  type RecordsAdapter,
  type StoredPage,
  type StoredValue,
  headLength,
} from './adapter.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { keyvRecords } from './keyv-records.ts'
import { type Counters, InvalidCursor, type Store, StoreUnavailable } from './store.ts'

interface Entry {
  envelope: string
  expires: number
  /** The place in the order of a scan: entries that were added later have a greater number. */
  number: number
}

/** The state of a store in memory. */
interface MemoryState {
  /** Distinguishes its cursors from those of another process. */
  readonly id: string
  version: number
  /** The number of the last entry. */
  last: number
  closed: boolean
}

/** A store in memory, lost with the process. For tests, and for gateways with configured keys. */
export function openMemoryStore(): Store {
  const namespaces = new Map<string, Map<string, Entry>>()
  const state: MemoryState = { id: randomUUID(), version: 0, last: 0, closed: false }
  const secretKey = randomBytes(32).toString('base64url')
  const entriesOf = (namespace: string) => {
    const entries = namespaces.get(namespace) ?? new Map<string, Entry>()
    namespaces.set(namespace, entries)
    return entries
  }

  return {
    records(namespace, options) {
      return keyvRecords(namespace, memoryAdapter(entriesOf(namespace), state), options)
    },
    counters: (namespace) =>
      memoryCounters(memoryAdapter(entriesOf(`${namespace}#counters`), state)),
    ownSecretKey: () => secretKey,
    async close() {
      state.closed = true
      namespaces.clear()
    },
  }
}

function memoryAdapter(entries: Map<string, Entry>, state: MemoryState): RecordsAdapter {
  /** The ids in the order of lists, as of a version. */
  let sorted: { version: number; ids: readonly string[] } | undefined
  const live = (id: string): Entry | undefined => {
    assertOpen(state)
    const entry = entries.get(id)
    if (!entry || entry.expires > Date.now()) return entry
    entries.delete(id)
    return undefined
  }
  const write = (id: string, envelope: string, ttlMs: number | undefined): void => {
    assertOpen(state)
    state.version += 1
    const expires = ttlMs === undefined ? Infinity : Date.now() + ttlMs
    // A map keeps the place of an entry that is written again.
    entries.set(id, { envelope, expires, number: entries.get(id)?.number ?? ++state.last })
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
      state.version += 1
      entry.envelope = envelope
      return true
    },
    version() {
      assertOpen(state)
      return String(state.version)
    },
    add(id, envelope, ttlMs) {
      if (live(id)) return false
      write(id, envelope, ttlMs)
      return true
    },
    delete(id) {
      const found = live(id) !== undefined
      if (found) state.version += 1
      return entries.delete(id) && found
    },
    deleteIf(id, expected) {
      if (live(id)?.envelope !== expected) return false
      state.version += 1
      return entries.delete(id)
    },
    clear() {
      assertOpen(state)
      state.version += 1
      entries.clear()
    },
    scan(options) {
      assertOpen(state)
      return scanEntries(entries, state, options)
    },
    range(after, limit, order) {
      assertOpen(state)
      const sign = order === 'ascending' ? 1 : -1
      if (sorted?.version !== state.version) {
        sorted = { version: state.version, ids: [...entries.keys()].toSorted(byBytes) }
      }
      const ids = order === 'ascending' ? sorted.ids : sorted.ids.toReversed()
      const found: StoredValue[] = []
      for (const id of ids) {
        if (found.length === limit) break
        if (after !== undefined && sign * byBytes(id, after) <= 0) continue
        const entry = live(id)
        if (entry) found.push({ id, envelope: entry.envelope })
      }
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

function memoryCounters(adapter: RecordsAdapter): Counters {
  return {
    // Nothing is awaited between the reading and the writing.
    async add(id, by, options) {
      const known = adapter.get(id) as string | undefined
      const sum = Number(known ?? 0) + by
      if (known === undefined) void adapter.set(id, String(sum), options?.ttlMs)
      else void adapter.replace(id, known, String(sum))
      return sum
    },
    get: async (id) => Number(adapter.get(id) ?? 0),
  }
}

// The UTF-16 order of `<` differs from that of SQLite and Redis beyond U+FFFF.
function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [one, other] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (one !== other) return rankOf(one) - rankOf(other)
  }
  return a.length - b.length
}

/** The rank of a code unit: halves of surrogate pairs stand for characters beyond all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}

function assertOpen(state: Pick<MemoryState, 'closed'>): void {
  if (state.closed) throw new StoreUnavailable('The store has been closed.')
}
