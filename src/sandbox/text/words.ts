/** Tokens as the sandbox counts them: words, and at least one. */
export function countTokens(text: string): number {
  return text.match(/\S+/g)?.length ?? 1
}

/** The first tokens of a text. */
export function firstTokens(text: string, count: number): string {
  return (text.match(/\s*\S+/g) ?? []).slice(0, count).join('')
}

/** A text as a model would stream it: word by word, and long words in pieces. */
export function deltasOf(text: string, inOnePiece = false): string[] {
  if (text === '') return []
  if (inOnePiece) return [text]
  return (text.match(/\s*\S+|\s+/g) ?? []).flatMap(piecesOf)
}

/** So many words, always the same. */
export function generateWords(count: number): string {
  const words = 'the sandbox keeps talking so that there is something to read'.split(' ')
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(' ')
}

// By code point: half of a surrogate pair would not survive the way to UTF-8.
function piecesOf(word: string): string[] {
  if (word.length <= 12) return [word]
  const points = Array.from(word)
  const count = Math.ceil(points.length / 8)
  return Array.from({ length: count }, (_, index) =>
    points.slice(index * 8, index * 8 + 8).join(''),
  )
}
