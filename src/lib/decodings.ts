/** How often servers on the way may decode a text. */
const mostDecodings = 4

/** A text, and what each further percent-decoding of it makes, as long as one changes it. */
export function decodingsOf(text: string): string[] {
  const texts = [text]
  for (let last = text; texts.length <= mostDecodings && last.includes('%');) {
    const next = decoded(last)
    if (next === last) break
    texts.push((last = next))
  }
  return texts
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Servers leave the bytes that are no encoding.
    return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
  }
}
