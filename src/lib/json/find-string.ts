/** JSON text, in which strings are searched. */
export interface JsonText {
  readonly bytes: Buffer
  /** Where the strings and the names of a large text begin, in order. */
  readonly stringStarts?: ArrayLike<number>
}

/**
 * Whether JSON text may have a string that begins with `start`, which is ASCII and includes the quote. A
 * large text is known string by string: any search through 64 MiB would stop others for too long.
 */
export function hasString({ bytes, stringStarts }: JsonText, start: string): boolean {
  if (!stringStarts) return bytes.includes(start)
  for (let index = 0; index < stringStarts.length; index++) {
    if (isAt(bytes, stringStarts[index] as number, start)) return true
  }
  return false
}

function isAt(bytes: Buffer, at: number, text: string): boolean {
  // All strings begin with the same quote.
  for (let index = 1; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false
  }
  return true
}
