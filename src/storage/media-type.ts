import { GatewayError } from '../contract/errors.ts'
import { essenceOf } from '../lib/media-type.ts'

const token = "[\\w!#$&^.+'-]+"
const mediaType = new RegExp(`^${token}/${token}(?:; *${token}=(?:${token}|"[^"\\\\]*"))*$`)

/** The longest media type, in characters. */
const maxLength = 127

/** Whether a text is a media type that fits into a header unchanged. */
export function isMediaType(text: string): boolean {
  return text.length <= maxLength && mediaType.test(text) && !/[^\x20-\x7e]/.test(text)
}

/** Checks a type against the types that the operator allows. Throws `GatewayError` 415. */
export function checkAllowed(type: string | undefined, allowed: readonly string[] | undefined) {
  if (!allowed) return
  const essence = essenceOf(type ?? '')
  const fits = allowed.some((pattern) =>
    pattern.endsWith('/*') ? essence.startsWith(pattern.slice(0, -1)) : essence === pattern,
  )
  if (fits) return
  throw new GatewayError(
    'unsupported_media_type',
    `Files of this type are not accepted; send one of ${allowed.join(', ')}.`,
  )
}

/** The media type by the extension of a path; `undefined` if it is unknown. */
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
