import { append } from '../../../../src/lib/append.ts'
import { type JsonObject, defined } from '../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** Whether a candidate has sources for its text. */
export function isCited(candidate: JsonObject): boolean {
  return (
    (candidate.citationMetadata ?? undefined) !== undefined ||
    (candidate.groundingMetadata ?? undefined) !== undefined
  )
}

/**
 * Reads the sources of a candidate's text as citations. Positions of sources count bytes of `text`, the
 * candidate's whole text. Positions of citations count UTF-16 code units of the part that begins at
 * `partStart`, an offset in `text`.
 */
export function readCitations(candidate: JsonObject, text: string, partStart: number): Citation[] {
  const metadata = objectAt(candidate, 'citationMetadata')
  const sources = [...objectsIn(metadata?.citationSources ?? metadata?.citations)]
  const grounding = objectAt(candidate, 'groundingMetadata')
  if (grounding) append(sources, groundingSources(grounding))
  return sources.flatMap((source) => {
    const url = stringAt(source, 'uri')
    if (url === undefined || url === '') return []
    const end = positionOf(numberAt(source, 'endIndex'), text, partStart)
    const start = positionOf(numberAt(source, 'startIndex') ?? (end && 0), text, partStart)
    return { url, ...defined({ title: stringAt(source, 'title'), start, end }) }
  })
}

/** Returns the web pages of a search as sources, once for each segment of text that they support. */
function groundingSources(grounding: JsonObject): JsonObject[] {
  const pages = (Array.isArray(grounding.groundingChunks) ? grounding.groundingChunks : []).map(
    (chunk: unknown) => objectAt(chunk, 'web') ?? {},
  )
  const supports = objectsIn(grounding.groundingSupports)
  if (supports.length === 0) return pages
  return supports.flatMap((support) => {
    const segment = objectAt(support, 'segment') ?? {}
    const indices: unknown = support.groundingChunkIndices
    return (Array.isArray(indices) ? indices : []).map((index: unknown) => ({
      ...pages[Number(index)],
      startIndex: segment.startIndex,
      endIndex: segment.endIndex,
    }))
  })
}

function positionOf(
  bytes: number | undefined,
  text: string,
  partStart: number,
): number | undefined {
  if (bytes === undefined) return undefined
  const position = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString().length
  return Math.max(0, position - partStart)
}

/** A citation, and the offset of its part in the candidate's text, in UTF-16 code units. */
export interface PlacedCitation {
  readonly citation: Citation
  readonly partStart: number
}

/** Writes `citationMetadata`. Each official SDK reads one of its two members (docs/wire/gemini.md 1.4). */
export function writeCitations(placed: readonly PlacedCitation[], text: string): JsonObject {
  const citationSources = placed.map(({ citation, partStart }) => {
    const { url, title, start, end } = citation
    return defined({
      startIndex: start === undefined ? undefined : byteOffset(text, partStart + start),
      endIndex: end === undefined ? undefined : byteOffset(text, partStart + end),
      uri: url,
      title,
    })
  })
  return { citationSources, citations: citationSources }
}

function byteOffset(text: string, position: number): number {
  return Buffer.byteLength(text.slice(0, position))
}
