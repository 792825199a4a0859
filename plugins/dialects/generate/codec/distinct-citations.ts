import { GatewayError } from '../../../../src/contract/errors.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { keyOf } from '../../../../src/lib/text-map.ts'

/** The most characters of addresses and titles that citations may repeat: far more than any search has. */
const mostRepeated = 16 * 1024 * 1024

/**
 * The distinct ones among citations. A page may have a long address, and support tens of thousands of
 * segments: each address is looked at as a whole only once.
 */
export class DistinctCitations {
  readonly #ids = new Map<string, number>()
  readonly #known = new Set<string>()
  #repeated = 0

  /** Returns whether a citation is new. Throws `upstream_reply_too_large` where new ones repeat too long texts. */
  add({ url, title, start, end }: Citation): boolean {
    const before = this.#ids.size
    const key = `${this.#idOf(url)} ${title === undefined ? '' : this.#idOf(title)} ${start} ${end}`
    if (this.#known.has(key)) return false
    this.#known.add(key)
    if (this.#ids.size === before) this.#repeat(url.length + (title?.length ?? 0))
    return true
  }

  #idOf(text: string): number {
    const key = keyOf(text)
    const id = this.#ids.get(key) ?? this.#ids.size
    this.#ids.set(key, id)
    return id
  }

  #repeat(length: number): void {
    this.#repeated += length
    if (this.#repeated > mostRepeated) {
      throw new GatewayError('upstream_reply_too_large', "The upstream's reply is too large.")
    }
  }
}
