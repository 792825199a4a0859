import { StoreUnavailable, UnreadableRecord } from './store.ts'

/** The pause between two rounds of retries, and how long a write is retried, in milliseconds. */
const pauseMs = 1_000
const maxAgeMs = 10 * 60_000
/** How long `close` waits for its last round, in milliseconds. */
const closeMs = 2_000
/** Beyond these the oldest write is lost: a store that is away must not fill the memory. */
const maxEntries = 10_000
const maxBytes = 256 * 1024 * 1024

interface RetryQueueOptions<T> {
  /** Must be idempotent: a write may be repeated. Rejects with `StoreUnavailable` to be retried. */
  write(value: T): Promise<void>
  /** Called with each write that the queue gives up. */
  onLost(value: T): void
}

/** Writes that failed, by key. They can be read here before the store has them. */
interface RetryQueue<T> {
  /** Adds or replaces the write of a key; its age counts from the first. `bytes` is its size in memory. */
  put(key: string, value: T, bytes?: number): void
  get(key: string): T | undefined
  /** Removes a write without calling `onLost`. Returns it. */
  delete(key: string): T | undefined
  readonly size: number
  /** Number of writes given up so far. */
  readonly lost: number
  /** Retries once more, then gives up the rest. Nothing is retried afterwards. */
  close(): Promise<void>
}

interface Entry<T> {
  readonly value: T
  readonly bytes: number
  /** `performance.now()` of the first write of this key. */
  readonly since: number
}

/** Retries failed writes every second, for ten minutes. */
export function createRetryQueue<T>({ write, onLost }: RetryQueueOptions<T>): RetryQueue<T> {
  const entries = new Map<string, Entry<T>>()
  let bytes = 0
  let lost = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function remove(key: string): Entry<T> | undefined {
    const entry = entries.get(key)
    if (entry && entries.delete(key)) bytes -= entry.bytes
    return entry
  }

  function giveUp(key: string, { value }: Entry<T>): void {
    remove(key)
    lost++
    onLost(value)
  }

  /** The newest write stays, however large it is. */
  function enforceLimits(): void {
    for (const [key, oldest] of entries) {
      const fits = entries.size <= maxEntries && bytes <= maxBytes
      if (fits || entries.size === 1) return
      giveUp(key, oldest)
    }
  }

  /** One after another: the first that fails shows that the store is still away. */
  async function writeAll(until = Infinity): Promise<void> {
    for (const [key, entry] of entries) {
      if (performance.now() > until) return
      if (performance.now() - entry.since > maxAgeMs) giveUp(key, entry)
      else {
        try {
          await write(entry.value)
          if (entries.get(key) === entry) remove(key)
        } catch (error) {
          if (error instanceof StoreUnavailable && !(error instanceof UnreadableRecord)) return
          // The store is not at fault, so a retry cannot help.
          if (entries.get(key) === entry) giveUp(key, entry)
        }
      }
    }
  }

  function schedule(): void {
    if (isClosed || entries.size === 0) return
    timer ??= setTimeout(() => {
      void writeAll().finally(() => {
        timer = undefined
        schedule()
      })
    }, pauseMs).unref()
  }

  return {
    put(key, value, size = 0) {
      const since = remove(key)?.since ?? performance.now()
      const entry = { value, bytes: size, since }
      entries.set(key, entry)
      bytes += size
      if (isClosed) return giveUp(key, entry)
      enforceLimits()
      schedule()
    },
    get: (key) => entries.get(key)?.value,
    delete: (key) => remove(key)?.value,
    get size() {
      return entries.size
    },
    get lost() {
      return lost
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writeAll(performance.now() + closeMs)
      for (const [key, entry] of entries) giveUp(key, entry)
    },
  }
}
