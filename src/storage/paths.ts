import { createHash } from 'node:crypto'

import { GatewayError } from '../contract/errors.ts'

/** The longest path in bytes of UTF-8. With prefix and owner it must fit the 1,024 bytes of S3. */
const maxPathBytes = 512

/** The longest segment in bytes of UTF-8: the limit of most file systems. */
const maxSegmentBytes = 255

/**
 * Characters that a path must not contain: control characters, line separators, marks that change the
 * direction of text, and the path separator of Windows.
 */
const forbiddenCharacters = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\]/u

/** Checks that a client's path is a plain relative one. Throws `GatewayError` 400. */
export function checkPath(path: string): void {
  const fault = faultOf(path)
  if (fault === undefined) return
  throw new GatewayError('invalid_value', `\`path\` ${fault}; write it as \`images/cat.png\`.`, {
    param: 'path',
  })
}

/** Whether a path is valid: the gateway issues no others. */
export function isPath(path: string): boolean {
  return faultOf(path) === undefined
}

function faultOf(path: string): string | undefined {
  if (!path.isWellFormed() || forbiddenCharacters.test(path))
    return 'contains characters that are not allowed'
  if (path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path)) return 'must be relative'
  if (Buffer.byteLength(path) > maxPathBytes) return `must have at most ${maxPathBytes} bytes`
  const segments = path.split('/')
  if (segments.includes('')) return 'has an empty segment'
  if (segments.includes('.') || segments.includes('..'))
    return 'must not contain `.` or `..` segments'
  const isLong = segments.some((segment) => Buffer.byteLength(segment) > maxSegmentBytes)
  return isLong ? `has a segment of more than ${maxSegmentBytes} bytes` : undefined
}

/**
 * The owner in paths and URLs: a hash that stands for an API key without revealing it. It is the same
 * on all replicas and does not change when the key's secret is rotated.
 */
export function pathOwnerOf(keyId: string): string {
  return createHash('sha256').update(ownerBytes(keyId)).digest('hex').slice(0, 32)
}

/** UTF-8 has the same bytes for all halves of surrogate pairs; its texts never contain the byte 0xff. */
function ownerBytes(keyId: string): string | Buffer {
  if (keyId.isWellFormed()) return `uploads of ${keyId}`
  return Buffer.concat([Buffer.of(0xff), Buffer.from(keyId, 'utf16le')])
}

/** Encodes a path for a URL, including the characters that signers and servers treat differently. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/')
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
