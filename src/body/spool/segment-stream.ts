import { Readable } from 'node:stream'

import { toGatewayError } from '../../contract/errors.ts'
import type { ByteRange } from '../../lib/json/scan.ts'

/** A range of a spooled body, or bytes of its own. */
export type Segment = ByteRange | Buffer

interface Source {
  read(start: number, end: number): Promise<Buffer>
}

const chunkBytes = 256 * 1024

/** Reads pieces of a source one after another, no further ahead than its reader wants. */
export class SegmentStream extends Readable {
  readonly #source: Source
  readonly #segments: readonly Segment[]
  #index = 0
  /** Within the present range. */
  #position: number | undefined

  constructor(source: Source, segments: readonly Segment[]) {
    super({ highWaterMark: chunkBytes })
    this.#source = source
    this.#segments = segments.filter((segment) => lengthOf(segment) > 0)
    // Nobody may be left to hear of it when the exchange has ended.
    this.on('error', () => {})
  }

  override _read(): void {
    const segment = this.#segments[this.#index]
    if (segment === undefined) {
      this.push(null)
    } else if (Buffer.isBuffer(segment)) {
      this.#index++
      this.push(segment)
    } else {
      void this.#readOn(segment)
    }
  }

  async #readOn(range: ByteRange): Promise<void> {
    const start = this.#position ?? range.start
    const end = Math.min(start + chunkBytes, range.end)
    try {
      const bytes = await this.#source.read(start, end)
      if (end < range.end) this.#position = end
      else {
        this.#index++
        this.#position = undefined
      }
      this.push(bytes)
    } catch (error) {
      // Known as the gateway's own, so that no account is blamed for it.
      this.destroy(toGatewayError(error))
    }
  }
}

export function lengthOf(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start
}
