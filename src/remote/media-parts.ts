import type { AudioPart, FilePart, ImagePart, Source } from '../generate/content.ts'
import type { GenerateRequest, Turn } from '../generate/request.ts'

/** A part that has its content somewhere. */
export type MediaPart = ImagePart | FilePart | AudioPart

/** A part whose content is elsewhere. */
export type RemotePart = MediaPart & { readonly source: Extract<Source, { kind: 'url' }> }

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
