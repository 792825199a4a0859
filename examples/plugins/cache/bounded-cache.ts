export interface Answer {
  readonly type: string
  readonly body: Buffer
}

export interface Bounds {
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** What an entry takes besides its body, roughly: name, type and objects. In bytes. */
const overhead = 500

/** Keeps answers up to a size and an age. The one that was unused the longest leaves first. */
export class BoundedCache {
  /** In order of use: a `Map` iterates in order of insertion. */
  readonly #entries = new Map<string, { readonly answer: Answer; readonly until: number }>()
  readonly #bounds: Bounds
  #bytes = 0

  constructor(bounds: Bounds) {
    for (const [name, value] of Object.entries(bounds)) {
      if (!(value > 0)) throw new RangeError(`${name} must be above 0, but is ${value}.`)
    }
    this.#bounds = bounds
  }

  get(name: string): Answer | undefined {
    const entry = this.#entries.get(name)
    if (!entry) return undefined
    if (entry.until <= performance.now()) {
      this.#delete(name)
      return undefined
    }
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    return entry.answer
  }

  set(name: string, answer: Answer): void {
    this.#delete(name)
    const { maxBytes, maxAgeMs } = this.#bounds
    const size = sizeOf(answer)
    if (size > maxBytes) return
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes + size <= maxBytes) break
      this.#delete(oldest)
    }
    this.#entries.set(name, { answer, until: performance.now() + maxAgeMs })
    this.#bytes += size
  }

  #delete(name: string): void {
    const entry = this.#entries.get(name)
    if (!entry) return
    this.#entries.delete(name)
    this.#bytes -= sizeOf(entry.answer)
  }
}

function sizeOf({ body }: Answer): number {
  return body.length + overhead
}
