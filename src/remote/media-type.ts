import { canonicalType } from '../lib/media-type.ts'
import { RemoteFailure } from './failure.ts'

/** The accepted content types by kind of part. */
export interface MediaTypes {
  readonly image: readonly string[]
  readonly file: readonly string[]
  readonly audio: readonly string[]
}

/** The types that every provider accepts are listed, so that hosts can negotiate one of them. */
export const defaultMediaTypes: MediaTypes = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/*'],
  file: [
    'application/pdf',
    'text/plain',
    'text/*',
    'application/json',
    'application/xml',
    'application/yaml',
  ],
  audio: ['audio/wav', 'audio/mpeg', 'audio/*'],
}

/** Throws `TypeError` if a content type is malformed. */
export function checkMediaTypes(mediaTypes: MediaTypes): void {
  for (const type of Object.values(mediaTypes).flat()) {
    if (!/^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/.test(type)) {
      throw new TypeError(`\`${type}\` is not a content type, such as image/png or image/*.`)
    }
  }
}

/** Checks a type against the accepted ones. Throws `RemoteFailure` if none matches. */
export function checkMediaType(mediaType: string, accepted: readonly string[]): void {
  const fits = accepted.some((pattern) =>
    pattern.endsWith('/*') ? mediaType.startsWith(pattern.slice(0, -1)) : mediaType === pattern,
  )
  if (fits) return
  throw new RemoteFailure(`its content type is ${mediaType}, not one of ${describeTypes(accepted)}`)
}

/** The accepted types for a message, without those that a wildcard covers. */
function describeTypes(accepted: readonly string[]): string {
  const isIncluded = (type: string) =>
    !type.endsWith('/*') && accepted.includes(`${type.split('/')[0]}/*`)
  return accepted.filter((type) => !isIncluded(type)).join(', ')
}

/** The `accept` header for the accepted types. Wildcards get a lower quality. */
export function acceptHeaderOf(accepted: readonly string[]): string {
  return accepted.map((type) => (type.endsWith('/*') ? `${type};q=0.5` : type)).join(', ')
}

/** A parsed `content-type`. */
export interface ContentType {
  /** The type in lower case, without parameters. */
  readonly mediaType: string
  readonly charset?: string
}

/** Parses a `content-type`. Throws `RemoteFailure` if it is missing or not accepted. */
export function acceptContentType(
  header: string | string[] | undefined,
  accepted: readonly string[],
): ContentType {
  const [, written] = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;|$)/.exec(String(header)) ?? []
  if (written === undefined) throw new RemoteFailure('its host states no content type')
  const mediaType = canonicalType(written)
  checkMediaType(mediaType, accepted)
  const [, charset] = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(String(header)) ?? []
  return { mediaType, ...(charset !== undefined && { charset: charset.toLowerCase() }) }
}
