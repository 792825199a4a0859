import { spelledOut } from './spelling.ts'

/** A part of a text that patterns look at, with the text before and behind it. */
export class Stretch {
  readonly before: string
  /** Matches that begin here count. They may end in `after`. */
  readonly own: string
  readonly after: string
  readonly text: string
  #spelled: Stretch | undefined

  constructor(before: string, own: string, after: string) {
    this.before = before
    this.own = own
    this.after = after
    this.text = before === '' && after === '' ? own : before + own + after
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

  /** The stretch with a replacement for each match. It takes the end of a match from `after`. */
  replace(pattern: RegExp, replacement: string): Stretch {
    let found = this.find(pattern)
    if (!found) return this
    const pieces: string[] = []
    let done = this.before.length
    while (found) {
      pieces.push(this.text.slice(done, found.index), replacement)
      done = found.index + found[0].length
      found = this.find(pattern, found[0] === '' ? this.#next(done) : done)
    }
    const end = Math.max(done, this.#end)
    pieces.push(this.text.slice(done, end))
    return new Stretch(this.before, pieces.join(''), this.text.slice(end))
  }

  get #end(): number {
    return this.before.length + this.own.length
  }

  #spellOut(): Stretch {
    const own = spelledOut(this.own)
    if (this.before === '' && this.after === '') {
      return own === this.own ? this : new Stretch('', own, '')
    }
    const spelled = new Stretch(spelledOut(this.before), own, spelledOut(this.after))
    return spelled.text === this.text ? this : spelled
  }

  /** The position behind the character at a position: half a character would be looked at as a whole. */
  #next(at: number): number {
    return at + (this.text.codePointAt(at)! > 0xffff ? 2 : 1)
  }
}

/** The length of the beginning of a text that makes up this many characters when it is spelled out. */
export function lengthBefore(text: string, spelledLength: number): number {
  let [least, most] = [0, text.length]
  while (least < most) {
    const middle = (least + most) >> 1
    if (spelledOut(text.slice(0, middle)).length < spelledLength) least = middle + 1
    else most = middle
  }
  return least
}
