/** Work on items that waits for more of its kind. */
interface Batch<T> {
  add(item: T): void
  /** Works on all items that wait. */
  flush(): void
}

/** The options of `createBatch`. */
interface BatchOptions<T> {
  readonly work: (item: T) => void
  /** Called for an item whose work throws. The others are not concerned. */
  readonly onError: (error: unknown) => void
  /** The most items that wait. */
  readonly items: number
  /** The longest time that an item waits, in milliseconds. */
  readonly ms: number
}

/**
 * Creates a batch. Work that few requests need costs a third at a time of many: its code has left the
 * processor's caches by the time that the next request needs it.
 */
export function createBatch<T>({ work, onError, items, ms }: BatchOptions<T>): Batch<T> {
  let waiting: T[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const due = waiting
    waiting = []
    for (const item of due) {
      try {
        work(item)
      } catch (error) {
        onError(error)
      }
    }
  }

  return {
    add(item) {
      waiting.push(item)
      if (waiting.length >= items) flush()
      else timer ??= setTimeout(flush, ms).unref()
    },
    flush,
  }
}
