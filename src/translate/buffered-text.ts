import type { TokenLogprob } from '../generate/content.ts'
import type { Emit } from '../generate/mapper.ts'

/** The end of an open text, which is not told yet, and the tokens that begin in it. */
export class BufferedText {
  readonly #index: number
  #text = ''
  /** Each with where it begins in the text. */
  #tokens: { readonly at: number; readonly token: TokenLogprob }[] = []

  constructor(index: number) {
    this.#index = index
  }

  get text(): string {
    return this.#text
  }

  add(text: string, logprobs: readonly TokenLogprob[] = []): void {
    let at = this.#text.length
    for (const token of logprobs) {
      this.#tokens.push({ at, token })
      at += token.token.length
    }
    this.#text += text
  }

  /** Tells so much of it, with the tokens that begin there; with the whole text goes what is left. */
  tell(length: number, emit: Emit): void {
    if (length === 0) return
    const isWhole = length === this.#text.length
    const told = isWhole ? this.#tokens : this.#tokens.filter(({ at }) => at < length)
    const kept = isWhole ? [] : this.#tokens.filter(({ at }) => at >= length)
    emit({
      type: 'delta',
      index: this.#index,
      text: this.#text.slice(0, length),
      ...(told.length > 0 && { logprobs: told.map(({ token }) => token) }),
    })
    this.#text = this.#text.slice(length)
    this.#tokens = kept.map(({ at, token }) => ({ at: at - length, token }))
  }
}
