import { spelledOut } from './spelling.ts'

const none: readonly number[] = []

/** A part of a text that patterns look at, with the text before and behind it. */
export class Stretch {
  readonly before: string
  /** Matches that begin here count. They may end in `after`. */
  readonly own: string
  readonly after: string
  readonly text: string
  /** Where parts of a message begin in `own` and `after`: positions in `own + after`, in their order. */
  readonly cuts: readonly number[]
  #spelled: Stretch | undefined

  constructor(before: string, own: string, after: string, cuts = none) {
    this.before = before
    this.own = own
    this.after = after
    this.text = before === '' && after === '' ? own : before + own + after
    this.cuts = cuts
  }

  /** The stretch as models read it; the same one if it is plain already. */
  get spelled(): Stretch {
    this.#spelled ??= this.#spellOut()
    return this.#spelled
  }

  /** The first match that begins in the own part, from a position of `text` on. */
  find(pattern: RegExp, at = this.before.length): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(this.text)
    return found && (this.after === '' || found.index < this.#end) ? found : undefined
  }

  /**
   * The stretch with a replacement for each match, in each part of a message that the match touches. It takes the end
   * of a match from `after`.
   */
  replace(pattern: RegExp, replacement: string): Stretch {
    let found = this.find(pattern)
    if (!found) return this
    const copy = new Copy(this.text, this.before.length, this.cuts)
    while (found) {
      const [{ length }] = found
      copy.keepTo(found.index)
      copy.replaceTo(found.index + length, replacement)
      found = this.find(pattern, length === 0 ? this.#next(copy.at) : copy.at)
    }
    copy.keepTo(Math.max(copy.at, this.#end))
    return new Stretch(this.before, copy.written, this.text.slice(copy.at), copy.movedCuts)
  }

  /**
   * This stretch with what was replaced in its spelled form. Parts of a message in which nothing was replaced stay as
   * they are.
   */
  withSpelled(changed: Stretch): Stretch {
    const { spelled, own, cuts } = this
    const taken = lengthBefore(this.after, spelled.after.length - changed.after.length)
    const after = this.after.slice(taken)
    if (cuts.length === 0) return new Stretch(changed.before, changed.own, after)
    const [mine, former, latter] = [this.#parts(), spelled.#parts(), changed.#parts()] as const
    const last = changed.cuts.findLastIndex((cut) => cut <= changed.own.length) + 1
    const pieces = latter
      .slice(0, last)
      .map((part, index) => (part === former[index] ? mine[index]! : part))
    const isSame = taken === 0 && latter[last] === former[last]
    const source = isSame ? this : changed
    pieces.push(source.own.slice(last === 0 ? 0 : source.cuts[last - 1]))
    const moved = beginnings(pieces)
    const length = pieces.join('').length
    for (const cut of cuts.slice(last)) moved.push(length + Math.max(0, cut - own.length - taken))
    return new Stretch(changed.before, pieces.join(''), after, moved)
  }

  get #end(): number {
    return this.before.length + this.own.length
  }

  /** The parts of messages in `own + after`. */
  #parts(): readonly string[] {
    return split(this.text.slice(this.before.length), this.cuts)
  }

  #spellOut(): Stretch {
    const own = spelledOut(this.own)
    if (this.before === '' && this.after === '') {
      return own === this.own ? this : new Stretch('', own, '', this.#spelledCuts(own))
    }
    const after = spelledOut(this.after)
    const spelled = new Stretch(spelledOut(this.before), own, after, this.#spelledCuts(own + after))
    return spelled.text === this.text ? this : spelled
  }

  #spelledCuts(spelled: string): readonly number[] {
    if (this.cuts.length === 0) return none
    const parts = this.#parts().slice(0, -1)
    let length = 0
    // A character may join one of the part before it.
    return parts.map((part) => Math.min((length += spelledOut(part).length), spelled.length))
  }

  /** The position behind the character at a position: half a character would be looked at as a whole. */
  #next(at: number): number {
    return at + (this.text.codePointAt(at)! > 0xffff ? 2 : 1)
  }
}

/** A copy of a text with replacements, and the positions of its cuts in it. */
class Copy {
  /** The position in the text up to which it is copied. */
  at: number
  readonly #text: string
  readonly #start: number
  readonly #cuts: readonly number[]
  readonly #moved: number[] = []
  readonly #pieces: string[] = []
  #length = 0

  constructor(text: string, start: number, cuts: readonly number[]) {
    this.at = start
    this.#text = text
    this.#start = start
    this.#cuts = cuts
  }

  get written(): string {
    return this.#pieces.join('')
  }

  /** The cuts behind the copy too. */
  get movedCuts(): readonly number[] {
    if (this.#cuts.length === 0) return none
    const rest = this.#cuts.slice(this.#moved.length)
    return [...this.#moved, ...rest.map((cut) => this.#length + this.#start + cut - this.at)]
  }

  keepTo(end: number): void {
    for (let cut = this.#nextCut; cut <= end; cut = this.#nextCut) {
      this.#moved.push(this.#length + cut - this.at)
    }
    this.#write(this.#text.slice(this.at, end))
    this.at = end
  }

  replaceTo(end: number, replacement: string): void {
    this.#write(replacement)
    for (let cut = this.#nextCut; cut < end; cut = this.#nextCut) {
      this.#moved.push(this.#length)
      // An empty part stays empty.
      if (this.#nextCut !== cut) this.#write(replacement)
    }
    this.at = end
  }

  get #nextCut(): number {
    const cut = this.#cuts[this.#moved.length]
    return cut === undefined ? Infinity : this.#start + cut
  }

  #write(piece: string): void {
    this.#pieces.push(piece)
    this.#length += piece.length
  }
}

/** Where the second and each further part begin in the text of all. */
export function beginnings(parts: readonly string[]): number[] {
  let length = 0
  return parts.slice(0, -1).map((part) => (length += part.length))
}

/** The parts of a text that begin at these positions, and the first one. */
export function split(text: string, cuts: readonly number[]): string[] {
  return [0, ...cuts].map((cut, index) => text.slice(cut, cuts[index]))
}

/** The length of the beginning of a text that makes up this many characters when it is spelled out. */
function lengthBefore(text: string, spelledLength: number): number {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = (least + most) >> 1
    if (spelledOut(text.slice(0, middle)).length < spelledLength) least = middle + 1
    else most = middle
  }
  return least
}
