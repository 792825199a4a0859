/** Words and phrases to look for, in small and capital letters. */
export interface Words {
  foundIn(text: string): boolean
  /** Replaces every letter of a word by an asterisk: the length, and places in the text, stay. */
  mask(text: string): string
  /** Where a word begins at the end of a text that may go on in it; otherwise the text's length. */
  unfinishedAt(text: string): number
}

export function compileWords(list: readonly string[]): Words {
  if (list.some((word) => word.trim() === '')) throw new Error('A word of the guardrail is empty.')
  const words = anyOf(list)
  const found = new RegExp(words, 'iu')
  const all = new RegExp(words, 'giu')
  // At each place a beginning that reaches the end of the text counts before a whole word:
  // "Nightfall" may still become "Nightfall 2".
  const inOrder = new RegExp(
    `(?<unfinished>(?:${anyOf(list.flatMap(beginningsOf))})$)|${words}`,
    'giu',
  )
  return {
    foundIn: (text) => found.test(text),
    mask: (text) => text.replace(all, (word) => '*'.repeat(word.length)),
    unfinishedAt(text) {
      for (const { groups, index } of text.matchAll(inOrder)) {
        if (groups?.['unfinished'] !== undefined) return index
      }
      return text.length
    },
  }
}

/** Masks one text that comes in pieces. It holds back less than the longest word. */
export class StreamMask {
  readonly #words: Words
  #held = ''

  constructor(words: Words) {
    this.#words = words
  }

  /** The text that can go on now; may be empty. */
  push(piece: string): string {
    const text = this.#held + piece
    const end = this.#words.unfinishedAt(text)
    this.#held = text.slice(end)
    return this.#words.mask(text.slice(0, end))
  }

  /** The rest: no word goes on in it. */
  end(): string {
    const rest = this.#words.mask(this.#held)
    this.#held = ''
    return rest
  }
}

/** A pattern for any of these, the longest first; for none, a pattern that matches nothing. */
function anyOf(texts: readonly string[]): string {
  if (texts.length === 0) return '(?!)'
  const longestFirst = texts.toSorted((one, other) => other.length - one.length)
  return `(?:${longestFirst.map((text) => RegExp.escape(text)).join('|')})`
}

/** `N`, `Ni`, `Nig`, ... but not the whole word. */
function beginningsOf(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, index) => word.slice(0, index + 1))
}
