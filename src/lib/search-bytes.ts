/** Up to this size, in bytes, the native search is fast enough for any bytes. */
const nativeUpTo = 256 * 1024

/**
 * Whether bytes contain a short text. The native search takes a second for 64 MiB that repeat the text's
 * first character; this one skips ahead by the length of the text (Horspool's algorithm).
 */
export function includesText(bytes: Buffer, text: string): boolean {
  if (bytes.length <= nativeUpTo) return bytes.includes(text)
  const searched = Buffer.from(text)
  const last = searched.length - 1
  const skips = new Uint8Array(256).fill(searched.length)
  for (let index = 0; index < last; index++) skips[searched[index] as number] = last - index
  for (let at = last; at < bytes.length; at += skips[bytes[at] as number] as number) {
    let back = 0
    while (back <= last && bytes[at - back] === searched[last - back]) back++
    if (back > last) return true
  }
  return false
}
