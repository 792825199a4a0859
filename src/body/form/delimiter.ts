import { invalidForm, wrongLineEnding } from './boundary.ts'

const carriageReturn = 0x0d
const lineFeed = 0x0a

/** Finds the boundary lines of a form. */
export class Delimiter {
  readonly #needle: Buffer
  /** The two bytes before the current data; initially a line end, since a form may begin at once. */
  #before: readonly [number, number] = [carriageReturn, lineFeed]

  constructor(boundary: string) {
    this.#needle = Buffer.from(`--${boundary}`, 'latin1')
  }

  get length(): number {
    return this.#needle.length
  }

  /**
   * The position of the next line that begins with the boundary, at or after `from`. Some parsers
   * accept CR or LF alone as a line end, so a boundary after either is refused. Outside of parts a
   * boundary in the middle of a line is refused too, since some parsers accept it as the first one.
   * Throws `GatewayError` 400.
   */
  find(data: Buffer, from: number, where: 'in a part' | 'outside'): number | undefined {
    for (let at = from; (at = data.indexOf(this.#needle, at)) >= 0; at++) {
      const last = this.#byteBefore(data, at, 1)
      if (last === lineFeed && this.#byteBefore(data, at, 2) === carriageReturn) return at
      if (last === lineFeed || last === carriageReturn) {
        throw wrongLineEnding()
      }
      if (where === 'outside') throw invalidForm('A boundary in the form does not begin a line.')
    }
    return undefined
  }

  /** Whether the boundary occurs anywhere in `data`: some parsers search for it without reading lines. */
  occursIn(data: Buffer): boolean {
    return data.includes(this.#needle)
  }

  /** The number of bytes at the end of `data` that may be the beginning of a boundary. */
  partialLength(data: Buffer, from: number): number {
    const earliest = Math.max(from, data.length - this.#needle.length + 1)
    for (let at = earliest; (at = data.indexOf(0x2d, at)) >= 0; at++) {
      const length = data.length - at
      if (data.compare(this.#needle, 0, length, at) === 0) return length
    }
    return 0
  }

  /** Consumes `data` up to `position`; the next call continues from there. */
  advance(data: Buffer, position: number): void {
    if (position === 0) return
    this.#before = [this.#byteBefore(data, position, 2), this.#byteBefore(data, position, 1)]
  }

  #byteBefore(data: Buffer, position: number, back: 1 | 2): number {
    const at = position - back
    return (at >= 0 ? data[at] : this.#before[at + 2]) as number
  }
}
