import { Readable } from 'node:stream'

import { toGatewayError } from '../../contract/errors.ts'
import type { ByteRange } from '../../lib/json/scan.ts'

/** A range of a spooled body, or literal bytes. */
export type Segment = ByteRange | Buffer

interface Source {
  read(start: number, end: number): Promise<Buffer>
}

const chunkBytes = 256 * 1024

/** Streams segments one after another, at the pace of its reader. */
export class SegmentStream extends Readable {
  readonly #source: Source
  readonly #segments: readonly Segment[]
  #index = 0
  /** The next offset within the current range. */
  #position: number | undefined

  constructor(source: Source, segments: readonly Segment[]) {
    super({ highWaterMark: chunkBytes })
    this.#source = source
    this.#segments = segments.filter((segment) => lengthOf(segment) > 0)
    // Without a listener, an error after the end of the exchange would end the process.
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
      void this.#readNext(segment)
    }
  }

  async #readNext(range: ByteRange): Promise<void> {
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
      // A `GatewayError` does not count against the account.
      this.destroy(toGatewayError(error))
    }
  }
}

/** The length of a segment in bytes. */
export function lengthOf(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start
}
