import type { TokenLogprob } from '../generate/content.ts'
import type { Emit } from '../generate/mapper.ts'
import { Queue } from '../lib/queue.ts'

/**
 * The end of an open text that has not been emitted yet, and the tokens that begin in it. It stays in its pieces: a
 * long one is not joined again with each.
 */
export class BufferedText {
  readonly #index: number
  readonly #pieces = new Queue<string>()
  /** Each token with its position, counted from the beginning of the open text. */
  readonly #tokens = new Queue<{ readonly at: number; readonly token: TokenLogprob }>()
  /** The characters that have been emitted. */
  #released = 0
  #length = 0

  /** `index`: the index of the text's part. */
  constructor(index: number) {
    this.#index = index
  }

  /** In characters. */
  get length(): number {
    return this.#length
  }

  /** Appends a text and its tokens. */
  add(text: string, logprobs: readonly TokenLogprob[] = []): void {
    const start = this.#released + this.#length
    // Tokens may be longer than the text, where they are parts of a character.
    const last = Math.max(start, start + text.length - 1)
    let at = start
    for (const token of logprobs) {
      this.#tokens.push({ at: Math.min(at, last), token })
      at += token.token.length
    }
    if (text !== '') this.#pieces.push(text)
    this.#length += text.length
  }

  /**
   * Emits the first `length` characters as a delta, with the tokens that begin in them. The whole text
   * takes all remaining tokens along.
   */
  release(length: number, emit: Emit): void {
    if (length === 0) return
    const isWhole = length === this.#length
    const text = this.#takeText(length)
    this.#length -= length
    this.#released += length
    const logprobs = this.#takeTokens(isWhole ? Infinity : this.#released)
    emit({ type: 'delta', index: this.#index, text, ...(logprobs.length > 0 && { logprobs }) })
  }

  #takeText(length: number): string {
    let text = ''
    for (
      let piece = this.#pieces.first;
      piece && text.length < length;
      piece = this.#pieces.first
    ) {
      const missing = length - text.length
      text += piece.slice(0, missing)
      if (piece.length > missing) this.#pieces.replaceFirst(piece.slice(missing))
      else this.#pieces.take()
    }
    return text
  }

  /** The tokens that begin before `end`. */
  #takeTokens(end: number): TokenLogprob[] {
    const tokens: TokenLogprob[] = []
    for (let first = this.#tokens.first; first && first.at < end; first = this.#tokens.first) {
      tokens.push(first.token)
      this.#tokens.take()
    }
    return tokens
  }
}
