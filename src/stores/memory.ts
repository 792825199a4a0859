import { randomBytes } from 'node:crypto'

import type { RecordsAdapter } from './adapter.ts'
import { keyvRecords } from './keyv-records.ts'
import { type Counters, type Store, StoreUnavailable } from './store.ts'

interface Entry {
  envelope: string
  expires: number
}

/** A store in memory, lost with the process. For tests, and for gateways with configured keys. */
export function openMemoryStore(): Store {
  const namespaces = new Map<string, Map<string, Entry>>()
  const state = { version: 0, closed: false }
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

function memoryAdapter(
  entries: Map<string, Entry>,
  state: { version: number; closed: boolean },
): RecordsAdapter {
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
    entries.set(id, { envelope, expires: ttlMs === undefined ? Infinity : Date.now() + ttlMs })
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
    clear() {
      assertOpen(state)
      state.version += 1
      entries.clear()
    },
    range(after, limit, order) {
      assertOpen(state)
      const sign = order === 'ascending' ? 1 : -1
      return [...entries.keys()]
        .filter((id) => live(id) && (after === undefined || sign * byBytes(id, after) > 0))
        .toSorted((a, b) => sign * byBytes(a, b))
        .slice(0, limit)
        .map((id) => ({ id, envelope: entries.get(id)?.envelope ?? '' }))
    },
  }
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
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function assertOpen(state: { closed: boolean }): void {
  if (state.closed) throw new StoreUnavailable('The store has been closed.')
}
