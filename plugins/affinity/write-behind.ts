import type { Entry, Records } from '../../src/stores/store.ts'

/** A batch is written after this many milliseconds or entries. */
const batchMs = 50
const maxBatchSize = 500

/** A queue of writes. */
interface WriteBehind<T> {
  /** Queues a write. Entries with the same `value` object share its memory. */
  add(id: string, value: T, ttlMs: number): void
  /** Writes the queue; resolves when all writes have ended. */
  close(): Promise<void>
}

interface SharedValue {
  readonly ids: string[]
  readonly ttlMs: number
}

/**
 * Writes records in the background, in batches: entries on the same page of a store cost one write of
 * that page. `onFailure` receives the entries of each failed batch.
 */
export function writeBehind<T>(
  records: Pick<Records<T>, 'setMany'>,
  onFailure: (entries: readonly Entry<T>[], error: unknown) => void,
): WriteBehind<T> {
  const writing = new Set<Promise<void>>()
  let batch = new Map<T, SharedValue>()
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    const entries = entriesOf(batch)
    batch = new Map()
    count = 0
    if (entries.length === 0) return
    const written = Promise.try(() => records.setMany(entries)).catch((error: unknown) =>
      onFailure(entries, error),
    )
    writing.add(written)
    void written.then(() => writing.delete(written))
  }

  return {
    add(id, value, ttlMs) {
      const shared = batch.get(value)
      if (shared) shared.ids.push(id)
      else batch.set(value, { ids: [id], ttlMs })
      if (++count >= maxBatchSize) write()
      else timer ??= setTimeout(write, batchMs).unref()
    },
    async close() {
      write()
      await Promise.all(writing)
    },
  }
}

function entriesOf<T>(batch: ReadonlyMap<T, SharedValue>): Entry<T>[] {
  return [...batch].flatMap(([value, { ids, ttlMs }]) => ids.map((id) => ({ id, value, ttlMs })))
}
