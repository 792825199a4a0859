/**
 * A text that is looked for in another one that comes in pieces, in time that grows with the other one only (Knuth,
 * Morris and Pratt).
 */
export class TextMatcher {
  readonly text: string
  /**
   * By the length of a beginning of the text: the length of the longest shorter beginning that it ends with. As far
   * as it has been needed: the other text seldom has much of a long one.
   */
  readonly #borders = [0, 0]

  /** `text` is not empty. */
  constructor(text: string) {
    this.text = text
  }

  /**
   * Reads a piece of the other text, of which the end so far is the first `matched` characters of this one. Returns
   * how many the end is then, and the position in the piece: behind all of this text, or the end of the piece.
   */
  read(piece: string, matched: number): { readonly matched: number; readonly at: number } {
    const { text } = this
    let at = 0
    let length = matched
    while (at < piece.length && length < text.length) {
      if (length === 0) at = indexOrEnd(piece, text.charAt(0), at)
      else if (piece.charCodeAt(at) !== text.charCodeAt(length)) {
        length = this.#border(length)
        continue
      }
      if (at === piece.length) break
      length++
      at++
    }
    // Now, so that a piece that does not go on does not need all at once.
    if (length > 0) this.#border(length)
    return { matched: length, at }
  }

  #border(length: number): number {
    const { text } = this
    const borders = this.#borders
    for (let known = borders.length; known <= length; known++) {
      const last = text.charCodeAt(known - 1)
      let border = borders[known - 1] as number
      while (border > 0 && text.charCodeAt(border) !== last) border = borders[border] as number
      borders.push(text.charCodeAt(border) === last ? border + 1 : 0)
    }
    return borders[length] as number
  }
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? text.length : at
}
