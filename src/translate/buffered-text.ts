import type { TokenLogprob } from '../generate/content.ts'
import type { Emit } from '../generate/mapper.ts'

/** The end of an open text that has not been emitted yet, and the tokens that begin in it. */
export class BufferedText {
  readonly #index: number
  #text = ''
  /** Each token with its position in the text. */
  #tokens: { readonly at: number; readonly token: TokenLogprob }[] = []

  /** `index` is that of the text's part. */
  constructor(index: number) {
    this.#index = index
  }

  get text(): string {
    return this.#text
  }

  /** Appends a text and its tokens. */
  add(text: string, logprobs: readonly TokenLogprob[] = []): void {
    let at = this.#text.length
    for (const token of logprobs) {
      this.#tokens.push({ at, token })
      at += token.token.length
    }
    this.#text += text
  }

  /**
   * Emits the first `length` characters as a delta, with the tokens that begin in them. The whole text
   * takes all remaining tokens along.
   */
  release(length: number, emit: Emit): void {
    if (length === 0) return
    const isWhole = length === this.#text.length
    const released = isWhole ? this.#tokens : this.#tokens.filter(({ at }) => at < length)
    const rest = isWhole ? [] : this.#tokens.filter(({ at }) => at >= length)
    emit({
      type: 'delta',
      index: this.#index,
      text: this.#text.slice(0, length),
      ...(released.length > 0 && { logprobs: released.map(({ token }) => token) }),
    })
    this.#text = this.#text.slice(length)
    this.#tokens = rest.map(({ at, token }) => ({ at: at - length, token }))
  }
}
