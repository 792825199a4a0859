import type { TextParts } from './text-parts.ts'

const open = '<think>'
const close = '</think>'

/** The most blanks before the first tag: an account may send any number of them, each in a piece of its own. */
const mostBlanks = 256

/** Divides the text of an answer into what the model has thought, between tags at its start, and the answer. */
export class ThinkTags {
  readonly #texts: Pick<TextParts, 'append'>
  #state: 'start' | 'thinking' | 'behind' | 'answer' = 'start'
  /** Text that may be the beginning of a tag. */
  #held = ''

  constructor(texts: Pick<TextParts, 'append'>) {
    this.#texts = texts
  }

  /** Adds text of the answer. */
  add(text: string): void {
    let rest = this.#held + text
    this.#held = ''
    if (this.#state === 'start') rest = this.#readStart(rest)
    if (this.#state === 'thinking') rest = this.#readThoughts(rest)
    if (this.#state === 'behind') rest = this.#readGap(rest)
    if (this.#state === 'answer') this.#append('content', rest)
  }

  /** Emits the text that was no tag. */
  end(): void {
    const field = this.#state === 'thinking' ? 'reasoning_content' : 'content'
    this.#append(field, this.#held)
    this.#held = ''
  }

  #readStart(text: string): string {
    const start = text.trimStart()
    if (start.startsWith(open)) {
      this.#state = 'thinking'
      return start.slice(open.length)
    }
    if (text.length <= mostBlanks && open.startsWith(start)) return this.#hold(text)
    this.#state = 'answer'
    return text
  }

  #readThoughts(text: string): string {
    const end = text.indexOf(close)
    if (end >= 0) {
      this.#append('reasoning_content', text.slice(0, end))
      this.#state = 'behind'
      return text.slice(end + close.length)
    }
    const kept = startOfTag(text)
    this.#append('reasoning_content', text.slice(0, text.length - kept))
    return this.#hold(text.slice(text.length - kept))
  }

  /** The blank lines behind the tag are no part of the answer. */
  #readGap(text: string): string {
    const answer = text.trimStart()
    if (answer !== '') this.#state = 'answer'
    return answer
  }

  #hold(text: string): string {
    this.#held = text
    return ''
  }

  #append(field: 'content' | 'reasoning_content', text: string): void {
    if (text !== '') this.#texts.append(field, text)
  }
}

/** The length of the end of a text that may be the start of the closing tag. */
function startOfTag(text: string): number {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--)
    if (close.startsWith(text.slice(text.length - length))) return length
  return 0
}
