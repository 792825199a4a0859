import { RemoteFailure } from './failure.ts'

/** Content types by what they are expected for. */
export interface MediaTypes {
  readonly image: readonly string[]
  readonly file: readonly string[]
  readonly audio: readonly string[]
}

/** What every provider takes is named, so that hosts who can choose choose that. */
export const defaultMediaTypes: MediaTypes = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/*'],
  file: ['application/pdf', 'text/plain', 'text/*'],
  audio: ['audio/wav', 'audio/mpeg', 'audio/*'],
}

/** Throws a `TypeError` where a content type is malformed. */
export function checkMediaTypes(mediaTypes: MediaTypes): void {
  for (const type of Object.values(mediaTypes).flat()) {
    if (!/^[a-z]+\/(?:\*|[a-z0-9.+-]+)$/.test(type)) {
      throw new TypeError(`\`${type}\` is not a content type, such as image/png or image/*.`)
    }
  }
}

/** Refuses what is of none of the accepted types. */
export function checkMediaType(mediaType: string, accepted: readonly string[]): void {
  const fits = accepted.some((pattern) =>
    pattern.endsWith('/*') ? mediaType.startsWith(pattern.slice(0, -1)) : mediaType === pattern,
  )
  if (fits) return
  throw new RemoteFailure(`its content type is ${mediaType}, not one of ${whole(accepted)}`)
}

/** Types without those that a pattern among them includes, for people. */
function whole(accepted: readonly string[]): string {
  const isIncluded = (type: string) =>
    !type.endsWith('/*') && accepted.includes(`${type.split('/')[0]}/*`)
  return accepted.filter((type) => !isIncluded(type)).join(', ')
}

/** `accept` for types in the order in which they are liked. */
export function preferring(accepted: readonly string[]): string {
  return accepted.map((type) => (type.endsWith('/*') ? `${type};q=0.5` : type)).join(', ')
}

export interface ContentType {
  /** In lower case, without parameters. */
  readonly mediaType: string
  readonly charset?: string
}

/** What servers say instead. */
const synonyms: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'application/x-pdf': 'application/pdf',
}

/** Reads a `content-type` that is one of the accepted; throws otherwise. */
export function acceptContentType(
  header: string | string[] | undefined,
  accepted: readonly string[],
): ContentType {
  const [, written] = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})\s*(?:;|$)/.exec(String(header)) ?? []
  if (written === undefined) throw new RemoteFailure('its host does not tell its content type')
  const lower = written.toLowerCase()
  const mediaType = synonyms[lower] ?? lower
  checkMediaType(mediaType, accepted)
  const [, charset] = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(String(header)) ?? []
  return { mediaType, ...(charset !== undefined && { charset: charset.toLowerCase() }) }
}
