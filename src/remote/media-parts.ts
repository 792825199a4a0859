import type { RemoteFile, UrlField } from '../contract/services.ts'
import type {
  AudioPart,
  DiscardRule,
  FilePart,
  ImagePart,
  MediaSource,
} from '../generate/content.ts'
import { essenceOf } from '../lib/media-type.ts'
import { type GenerateRequest, type Turn, partsOf } from '../generate/request.ts'
import { toClientError } from './failure.ts'
import { type MediaTypes, checkMediaType } from './media-type.ts'

/** A content part with media, inline or by URL. */
export type MediaPart = ImagePart | FilePart | AudioPart

/** A media part given by URL. */
export type RemotePart = MediaPart & { readonly source: Extract<MediaSource, { kind: 'url' }> }

/** The feature that a request uses if it has a part of this type by URL. */
export const urlFeature = { image: 'image_url', file: 'file_url', audio: 'audio_url' } as const

/** The feature that a request uses if it has a part of this type. */
export const inputFeature = {
  image: 'image_input',
  file: 'file_input',
  audio: 'audio_input',
} as const

/** The remote media of all turns and tool results, in order. */
export function remoteParts(request: GenerateRequest): RemotePart[] {
  return request.turns.flatMap((turn) => partsOf(turn).filter(isMedia)).filter(isRemote)
}

function isRemote(part: MediaPart): part is RemotePart {
  return part.source.kind === 'url'
}

type Replace = (part: MediaPart) => MediaPart | undefined

/** Returns a copy of the request in which `replace` has replaced or removed each media part. */
export function mapMedia(request: GenerateRequest, replace: Replace): GenerateRequest {
  return { ...request, turns: request.turns.map((turn) => mapTurn(turn, replace)) }
}

function mapTurn(turn: Turn, replace: Replace): Turn {
  if (turn.role === 'system') return turn
  if (turn.role === 'user') return { ...turn, content: mapParts(turn.content, replace) }
  if (turn.role === 'assistant') return { ...turn, content: mapParts(turn.content, replace) }
  const results = turn.results.map((result) => ({
    ...result,
    content: mapParts(result.content, replace),
  }))
  return { ...turn, results }
}

/** A replacement must have the type of the original part. */
function mapParts<Part extends { readonly type: string }>(
  parts: readonly Part[],
  replace: Replace,
): Part[] {
  return parts.flatMap((part) => {
    if (!isMedia(part)) return [part]
    const replaced = replace(part) as (Part & MediaPart) | undefined
    return replaced ? [replaced] : []
  })
}

const mediaTypes: ReadonlySet<string> = new Set(Object.keys(urlFeature))

function isMedia<Part extends { readonly type: string }>(part: Part): part is Part & MediaPart {
  return mediaTypes.has(part.type)
}

/**
 * Returns a function that names the client's field of each URL, for errors. For a part without
 * `field`, the first one of each kind has the field that the request records; the others have its root
 * and their number.
 */
export function urlFieldNames(request: GenerateRequest): (part: RemotePart) => UrlField {
  const parts = remoteParts(request)
  return (part) => {
    if (part.field !== undefined) return { param: part.field, label: `\`${part.field}\`` }
    const feature = urlFeature[part.type]
    const field = request.fields[feature] ?? feature
    const position = parts.filter(({ type }) => urlFeature[type] === feature).indexOf(part)
    if (position <= 0) return { param: field, label: `\`${field}\`` }
    const [root = field] = /^[^[.]+/.exec(field) ?? []
    return { param: root, label: `\`${root}\` (${feature} number ${position + 1})` }
  }
}

/**
 * The content types that a part accepts. A stated type limits them to its main type, a listed document
 * to its own type: the page or the JSON error of an expired link is not accepted as a PDF, but a WebP
 * image is accepted as a PNG.
 */
export function expectedTypes(part: RemotePart, mediaTypes: MediaTypes): readonly string[] {
  const ofKind = mediaTypes[part.type]
  const stated = essenceOf(part.mediaType ?? '')
  if (stated.startsWith('application/') && ofKind.includes(stated)) return [stated]
  const [mainType = ''] = stated.split('/')
  const announced = ofKind.filter((type) => type.startsWith(`${mainType}/`))
  return announced.length > 0 ? announced : ofKind
}

/** Checks the type of a file that several parts share. Throws `GatewayError` for this part's field. */
export function checkPart(
  part: RemotePart,
  { mediaType }: RemoteFile,
  mediaTypes: MediaTypes,
  field: UrlField,
): void {
  try {
    checkMediaType(mediaType, expectedTypes(part, mediaTypes))
  } catch (thrown) {
    throw toClientError(thrown, field, URL.parse(part.source.url))
  }
}

/** The rule by which a part may be discarded, if there is one. */
export function discardRuleOf(part: MediaPart): DiscardRule | undefined {
  return part.type === 'image' ? part.discarded : undefined
}

/** Returns the part with the file inlined, with the type that its host states. */
export function withContent(
  part: RemotePart,
  { mediaType }: RemoteFile,
  base64: string,
): MediaPart {
  return { ...part, mediaType, source: { kind: 'data', base64 } }
}
