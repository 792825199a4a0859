import { RemoteFailure } from './failure.ts'
import type { ContentType } from './media-type.ts'

/** The first bytes of files by media type, in hexadecimal. */
const signatures: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
  'application/pdf': /^255044462d/,
}

/** Detects the media type from the first bytes of a file; `undefined` if they match no known type. */
export function detectType(bytes: Buffer): string | undefined {
  const head = bytes.toString('hex', 0, 16)
  return Object.keys(signatures).find((type) => signatures[type]?.test(head))
}

/**
 * Checks that bytes are of the stated type and converts text to UTF-8. Throws `RemoteFailure` if the
 * content is empty or of another type.
 */
export function acceptBytes(bytes: Buffer, { mediaType, charset = 'utf-8' }: ContentType): Buffer {
  if (bytes.length === 0) throw new RemoteFailure('it is empty')
  const signature = signatures[mediaType]
  if (signature && !signature.test(bytes.toString('hex', 0, 16))) {
    throw new RemoteFailure(`its content is not ${mediaType}, the type that its host states`)
  }
  return mediaType.startsWith('text/') ? toUtf8(bytes, charset) : bytes
}

function toUtf8(bytes: Buffer, charset: string): Buffer {
  try {
    const text = new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes)
    return Buffer.from(text)
  } catch {
    throw new RemoteFailure(`its content is not text in ${charset}`)
  }
}
