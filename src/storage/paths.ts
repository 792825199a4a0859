import { createHash } from 'node:crypto'

import { GatewayError } from '../contract/errors.ts'

/** In bytes of UTF-8. With the owner before it, a path has to fit the 1,024 bytes of S3. */
const longestPath = 512

/** As most file systems have it, for those who keep files under their own names. */
const longestSegment = 255

/**
 * What has no place in a path: controls, separators of lines, marks that turn the direction of what
 * is shown after them, and the separator of another system.
 */
const unfit = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\\]/u

/** Refuses a path that is no plain relative one. Throws `GatewayError` 400. */
export function checkPath(path: string): void {
  const fault = faultOf(path)
  if (fault === undefined) return
  throw new GatewayError('invalid_value', `\`path\` ${fault}; write it as \`images/cat.png\`.`, {
    param: 'path',
  })
}

/** Whether it could have been given out. */
export function isPath(path: string): boolean {
  return faultOf(path) === undefined
}

function faultOf(path: string): string | undefined {
  if (!path.isWellFormed() || unfit.test(path)) return 'holds characters that no path may have'
  if (path.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(path)) return 'must be relative'
  if (Buffer.byteLength(path) > longestPath) return `must have at most ${longestPath} bytes`
  const segments = path.split('/')
  if (segments.includes('')) return 'has an empty segment'
  if (segments.includes('.') || segments.includes('..')) return 'must not climb'
  const isLong = segments.some((segment) => Buffer.byteLength(segment) > longestSegment)
  return isLong ? `has a segment of more than ${longestSegment} bytes` : undefined
}

/**
 * What stands for an API key in paths and URLs. It stays when the key's secret is rotated, and for
 * every replica; keys themselves are no business of those who are handed a URL.
 */
export function pathOwnerOf(keyId: string): string {
  return createHash('sha256').update(`uploads of ${keyId}`).digest('hex').slice(0, 32)
}

/** A path as it stands in a URL, with what signers and servers disagree about always encoded. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/')
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
