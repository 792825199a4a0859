import { RemoteFailure } from './failure.ts'
import type { ContentType } from './media-type.ts'

/** How files begin, in hexadecimal. */
const signatures: Readonly<Record<string, RegExp>> = {
  'image/png': /^89504e470d0a1a0a/,
  'image/jpeg': /^ffd8ff/,
  'image/gif': /^47494638(37|39)61/,
  'image/webp': /^52494646.{8}57454250/,
  'application/pdf': /^255044462d/,
}

/** The type that the first bytes of a file show, of those that they show of at all. */
export function detectType(bytes: Buffer): string | undefined {
  const head = bytes.toString('hex', 0, 16)
  return Object.keys(signatures).find((type) => signatures[type]?.test(head))
}

/**
 * The bytes as what they are said to be; throws where they are something else. Text becomes UTF-8,
 * whatever it was written in.
 */
export function acceptBytes(bytes: Buffer, { mediaType, charset = 'utf-8' }: ContentType): Buffer {
  if (bytes.length === 0) throw new RemoteFailure('it is empty')
  const signature = signatures[mediaType]
  if (signature && !signature.test(bytes.toString('hex', 0, 16))) {
    throw new RemoteFailure(`its content is not ${mediaType}, as its host says`)
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
