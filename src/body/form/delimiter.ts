import { invalidForm, linesEndOtherwise } from './boundary.ts'

const carriageReturn = 0x0d
const lineFeed = 0x0a

/** Looks for the lines of a form that begin with its boundary. */
export class Delimiter {
  readonly #needle: Buffer
  /** The two bytes before those that are looked at; at the beginning, as after a line. */
  #before: readonly [number, number] = [carriageReturn, lineFeed]

  constructor(boundary: string) {
    this.#needle = Buffer.from(`--${boundary}`, 'latin1')
  }

  get length(): number {
    return this.#needle.length
  }

  /**
   * Where a line begins with the boundary. Lines end with CRLF; some readers take half of that for
   * the end of a line as well, so a boundary after half of it is refused; and outside of parts one
   * that is anywhere else, which some take for the first.
   */
  find(data: Buffer, from: number, where: 'in a part' | 'outside'): number | undefined {
    for (let at = from; (at = data.indexOf(this.#needle, at)) >= 0; at++) {
      const last = this.#byteBefore(data, at, 1)
      if (last === lineFeed && this.#byteBefore(data, at, 2) === carriageReturn) return at
      if (last === lineFeed || last === carriageReturn) {
        throw linesEndOtherwise()
      }
      if (where === 'outside') throw invalidForm('A boundary in the form does not begin a line.')
    }
    return undefined
  }

  /** Whether the boundary is anywhere in these: some readers look for it without reading lines. */
  isIn(data: Buffer): boolean {
    return data.includes(this.#needle)
  }

  /** How many of the last bytes may be the beginning of a boundary. */
  begun(data: Buffer, from: number): number {
    const earliest = Math.max(from, data.length - this.#needle.length + 1)
    for (let at = earliest; (at = data.indexOf(0x2d, at)) >= 0; at++) {
      const length = data.length - at
      if (data.compare(this.#needle, 0, length, at) === 0) return length
    }
    return 0
  }

  /** The bytes up to `position` are done with. */
  pass(data: Buffer, position: number): void {
    if (position === 0) return
    this.#before = [this.#byteBefore(data, position, 2), this.#byteBefore(data, position, 1)]
  }

  #byteBefore(data: Buffer, position: number, back: 1 | 2): number {
    const at = position - back
    return (at >= 0 ? data[at] : this.#before[at + 2]) as number
  }
}
