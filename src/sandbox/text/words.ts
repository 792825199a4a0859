/** Counts tokens as the sandbox does: words, at least one. */
export function countTokens(text: string): number {
  // A search for `\S+` can exhaust the stack on a word of megabytes.
  let words = 0
  let wasBlank = true
  for (let index = 0; index < text.length; index++) {
    const isBlank = isSpace(text.charCodeAt(index))
    if (wasBlank && !isBlank) words++
    wasBlank = isBlank
  }
  return Math.max(1, words)
}

function isSpace(code: number): boolean {
  if (code <= 0x7f) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return /\s/.test(String.fromCharCode(code))
}

/** The first `count` tokens of a text. */
export function firstTokens(text: string, count: number): string {
  return (text.match(/\s*\S+/g) ?? []).slice(0, count).join('')
}

/** Splits a text as a model streams it: into words, and long words into pieces. */
export function deltasOf(text: string, inOnePiece = false): string[] {
  if (text === '') return []
  if (inOnePiece) return [text]
  return (text.match(/\s*\S+|\s+/g) ?? []).flatMap(piecesOf)
}

/** A text of `count` words, always the same. */
export function generateWords(count: number): string {
  const words = 'the sandbox keeps talking so that there is something to read'.split(' ')
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(' ')
}

// By code point: UTF-8 cannot encode half of a surrogate pair.
function piecesOf(word: string): string[] {
  if (word.length <= 12) return [word]
  const points = Array.from(word)
  const count = Math.ceil(points.length / 8)
  return Array.from({ length: count }, (_, index) =>
    points.slice(index * 8, index * 8 + 8).join(''),
  )
}
