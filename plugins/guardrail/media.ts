/** The members in which requests have bytes in base64: media, signatures and encrypted content. */
const places: ReadonlySet<string> = new Set([
  'b64_json',
  'bytesBase64Encoded',
  'data',
  'encrypted_content',
  'file_data',
  'result',
  'signature',
  'thoughtSignature',
  'thought_signature',
])

const base64 = /^[\w+/-]*={0,2}$/

/** The members that have a URL of a medium, which may be its bytes. */
const urls: ReadonlySet<string> = new Set(['file_data', 'image_url', 'url'])

const dataUrl = /^data:[^,\s]{0,128};base64,[\w+/-]*={0,2}$/

/** In characters. Shorter texts of the same letters may be words. */
const shortest = 128

/** Whether the text of a member is the bytes of a medium. In other members, text of the same letters is text. */
export function isMedia(name: string, text: string): boolean {
  if (text.length < shortest) return false
  return (urls.has(name) && dataUrl.test(text)) || (places.has(name) && base64.test(text))
}
