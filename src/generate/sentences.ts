import type { PartHead } from './events.ts'

/** In characters. A text without the end of a sentence comes in pieces of this length. */
const longestHeld = 2_000

/**
 * Holds the streamed text of one part of a reply until it can be judged: a text by whole sentences, the arguments of
 * a tool call as a whole. `push` and `end` return the text in its order, without a loss.
 */
export class SentenceBuffer {
  readonly #isCall: boolean
  #held = ''

  /** `type` is the part's type. */
  constructor(type: PartHead['type']) {
    this.#isCall = type === 'tool_call'
  }

  /** Adds the text of a delta. Returns the whole sentences that are held, or an empty text. */
  push(text: string): string {
    this.#held += text
    return this.#take(this.#isCall ? 0 : endOfSentences(this.#held))
  }

  /** Returns the rest, at the end of the part. */
  end(): string {
    return this.#take(this.#held.length)
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    return taken
  }
}

const sentenceEnds: ReadonlySet<string | undefined> = new Set([
  '.',
  '!',
  '?',
  '\n',
  '。',
  '！',
  '？',
])

/** The position behind the last whole sentence; 0 if no sentence ends and the text is short enough to wait for one. */
function endOfSentences(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    if (/\s/.test(text[at]!) && sentenceEnds.has(text[at - 1])) return at + 1
  }
  if (text.length < longestHeld) return 0
  const space = text.lastIndexOf(' ')
  return space > 0 ? space + 1 : text.length
}
