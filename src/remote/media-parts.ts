import type { RemoteFile, UrlField } from '../contract/services.ts'
import type { AudioPart, FilePart, ImagePart, MediaSource } from '../generate/content.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'
import { toClientError } from './failure.ts'
import { type MediaTypes, checkMediaType } from './media-type.ts'

/** A part that has its content somewhere. */
export type MediaPart = ImagePart | FilePart | AudioPart

/** A part whose content is elsewhere. */
export type RemotePart = MediaPart & { readonly source: Extract<MediaSource, { kind: 'url' }> }

/** What a request uses that has such a part by its URL. */
export const urlFeature = { image: 'image_url', file: 'file_url', audio: 'audio_url' } as const

/** What a request uses that has such a part at all. */
export const inputFeature = {
  image: 'image_input',
  file: 'file_input',
  audio: 'audio_input',
} as const

/** The remote media of all turns and tool results, in their order. */
export function remoteParts({ turns }: GenerateRequest): RemotePart[] {
  return turns.flatMap(partsOf).filter(isMedia).filter(isRemote)
}

function partsOf(turn: Turn): readonly { readonly type: string }[] {
  return turn.role === 'tool' ? turn.results.flatMap(({ content }) => content) : turn.content
}

function isRemote(part: MediaPart): part is RemotePart {
  return part.source.kind === 'url'
}

type Replace = (part: MediaPart) => MediaPart

/** A request with other media; the one given is left as it is. */
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

/** A replacement is of the type of what it replaces. */
function mapParts<Part extends { readonly type: string }>(
  parts: readonly Part[],
  replace: Replace,
): Part[] {
  return parts.map((part) => (isMedia(part) ? (replace(part) as Part & MediaPart) : part))
}

const mediaTypes: ReadonlySet<string> = new Set(Object.keys(urlFeature))

function isMedia<Part extends { readonly type: string }>(part: Part): part is Part & MediaPart {
  return mediaTypes.has(part.type)
}

/**
 * What the client calls the fields of its URLs. Where a part does not tell, the first of each kind
 * is where the request says; the others are named by the field that holds them all, and counted.
 */
export function nameUrls(request: GenerateRequest): (part: RemotePart) => UrlField {
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
 * The content types of which a part may be. Where the client has announced a PDF, the page that
 * says that a link has expired is none; that a picture is of another format does no harm.
 */
export function expectedTypes(part: RemotePart, mediaTypes: MediaTypes): readonly string[] {
  const ofKind = mediaTypes[part.type]
  const [family = ''] = part.mediaType?.toLowerCase().split('/') ?? []
  const announced = ofKind.filter((type) => type.startsWith(`${family}/`))
  return announced.length > 0 ? announced : ofKind
}

/** Refuses a file that was fetched for several parts and is not what this one may be. */
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

/** What the bytes are is what their host says and they show, whatever the client had announced. */
export function withContent(
  part: RemotePart,
  { mediaType }: RemoteFile,
  base64: string,
): MediaPart {
  return { ...part, mediaType, source: { kind: 'data', base64 } }
}
