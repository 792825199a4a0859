/** The position, or the next one, at which a text can be cut: it divides no surrogate pair. */
export function cutIn(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at - 1)
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at
}
