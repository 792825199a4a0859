import type { Entry, Records } from '../../src/stores/store.ts'

/** How long entries gather, in milliseconds, and how many at most. */
const gatherMs = 50
const mostGathered = 500

export interface WriteBehind<T> {
  /** Names that share a value cost little until they are written. */
  add(id: string, value: T, ttlMs: number): void
  /** Resolves when all that was added has been written, or has failed. */
  close(): Promise<void>
}

interface Named {
  readonly ids: string[]
  readonly ttlMs: number
}

/**
 * Writes what nobody waits for, the entries of a moment together: a store that keeps neighbours on
 * one page pays for the page once. Each write that fails is told to `onFailure` with its entries.
 */
export function writeBehind<T>(
  records: Pick<Records<T>, 'setMany'>,
  onFailure: (entries: readonly Entry<T>[], error: unknown) => void,
): WriteBehind<T> {
  const writing = new Set<Promise<void>>()
  let gathered = new Map<T, Named>()
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function write(): void {
    clearTimeout(timer)
    timer = undefined
    const entries = entriesOf(gathered)
    gathered = new Map()
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
      const named = gathered.get(value)
      if (named) named.ids.push(id)
      else gathered.set(value, { ids: [id], ttlMs })
      if (++count >= mostGathered) write()
      else timer ??= setTimeout(write, gatherMs).unref()
    },
    async close() {
      write()
      await Promise.all(writing)
    },
  }
}

function entriesOf<T>(gathered: ReadonlyMap<T, Named>): Entry<T>[] {
  return [...gathered].flatMap(([value, { ids, ttlMs }]) => ids.map((id) => ({ id, value, ttlMs })))
}
