/** A reply in the store. */
interface Entry {
  readonly bytes: number
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Counts the bytes that this process has stored, so that the store does not grow without an end. */
export class StoredBytes {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Adds a reply. Returns the names of the oldest ones, which have to leave the store. */
  add(name: string, entry: Entry, now = Date.now()): string[] {
    this.#forget(name)
    this.#entries.set(name, entry)
    this.#bytes += entry.bytes
    const leaving: string[] = []
    for (const [oldest, { until }] of this.#entries) {
      const isOver = until <= now
      if (!isOver && this.#bytes <= this.#most) break
      this.#forget(oldest)
      // The store has let go of those whose time is over.
      if (!isOver) leaving.push(oldest)
    }
    return leaving
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0
    this.#entries.delete(name)
  }
}
