import { GatewayError } from '../contract/errors.ts'

const token = "[\\w!#$&^.+'-]+"
const mediaType = new RegExp(`^${token}/${token}(?:; *${token}=(?:${token}|"[^"\\\\]*"))*$`)

/** Longer ones are none. */
const longest = 127

/** Whether it can go into a header and back. */
export function isMediaType(text: string): boolean {
  return text.length <= longest && mediaType.test(text) && !/[^\x20-\x7e]/.test(text)
}

/** `image/png`, without parameters and in small letters. */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Refuses a type that the operator has not listed (`image/*`). Throws `GatewayError` 415. */
export function checkAllowed(type: string | undefined, allowed: readonly string[] | undefined) {
  if (!allowed) return
  const essence = essenceOf(type ?? '')
  const fits = allowed.some((pattern) =>
    pattern.endsWith('/*') ? essence.startsWith(pattern.slice(0, -1)) : essence === pattern,
  )
  if (fits) return
  throw new GatewayError(
    'unsupported_media_type',
    `Files of this type are not taken here; send one of ${allowed.join(', ')}.`,
  )
}

/** What the end of a file's name says, where the client says nothing. */
export function typeByName(path: string): string | undefined {
  return byExtension.get(/\.([a-z\d]{2,5})$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}

const byExtension = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['gif', 'image/gif'],
  ['mp4', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['mp3', 'audio/mpeg'],
  ['wav', 'audio/wav'],
  ['pdf', 'application/pdf'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
])
