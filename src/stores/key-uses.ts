import type { KeyRing } from './key-ring.ts'
import { isTime } from './record-values.ts'
import type { Records, Store } from './store.ts'

/** Each process writes the uses of its keys so often, in milliseconds. */
const writeMs = 60_000

/** Keys in one write. */
const batchSize = 500

/** The times of the last uses of keys, in milliseconds since 1970. */
export interface KeyUses {
  /** The last use that is not written yet, in milliseconds since 1970. */
  pending(id: string): number | undefined
  /** Writes the pending uses. Never rejects: a use that cannot be written waits for the next write. */
  write(): Promise<void>
  /** Writes once more and ends. */
  close(): Promise<void>
}

/** Options of `recordKeyUses`. */
interface KeyUsesOptions {
  readonly keys: Pick<KeyRing, 'takeUses' | 'lastUse'>
  readonly store: Pick<Store, 'records'>
}

/**
 * Writes when keys were used to the store, once a minute. Requests only mark a key in memory. The times are
 * apart from the keys: a change of a key would have every process read all keys again.
 */
export function recordKeyUses({ keys, store }: KeyUsesOptions): KeyUses {
  const records = useRecords(store)
  let waiting = new Map<string, number>()

  async function write(): Promise<void> {
    for (const [id, at] of keys.takeUses()) waiting.set(id, at)
    const all = [...waiting].map(([id, value]) => ({ id, value }))
    waiting = new Map()
    let done = 0
    try {
      for (; done < all.length; done += batchSize) {
        await records.setMany(all.slice(done, done + batchSize))
      }
    } catch {
      for (const { id, value } of all.slice(done)) waiting.set(id, waiting.get(id) ?? value)
    }
  }

  const timer = setInterval(() => void write(), writeMs).unref()
  return {
    pending: (id) => keys.lastUse(id) ?? waiting.get(id),
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}

/** When each of these keys was last used, a minute late at most; `undefined`: never. */
export async function lastUsesOf(
  store: Pick<Store, 'records'>,
  ids: readonly string[],
): Promise<(number | undefined)[]> {
  const found: unknown[] = ids.length === 0 ? [] : await useRecords(store).getMany(ids)
  return found.map((at) => (isTime(at) ? at : undefined))
}

function useRecords(store: Pick<Store, 'records'>): Records<number> {
  return store.records<number>('key-uses')
}
