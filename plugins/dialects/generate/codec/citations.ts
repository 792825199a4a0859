import { append } from '../../../../src/lib/append.ts'
import { type JsonObject, defined } from '../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'
import { TextPositions } from './text-positions.ts'

/** Whether a candidate has sources for its text. */
export function isCited(candidate: JsonObject): boolean {
  return (
    (candidate.citationMetadata ?? undefined) !== undefined ||
    (candidate.groundingMetadata ?? undefined) !== undefined
  )
}

/**
 * Reads the sources of a candidate's text as citations. Positions of sources count bytes of the candidate's
 * whole text. Positions of citations count UTF-16 code units of the part that begins at `partStart`, an
 * offset in that text.
 */
export function readCitations(
  candidate: JsonObject,
  positions: TextPositions,
  partStart: number,
): Citation[] {
  const metadata = objectAt(candidate, 'citationMetadata')
  const sources = [...objectsIn(metadata?.citationSources ?? metadata?.citations)]
  const grounding = objectAt(candidate, 'groundingMetadata')
  if (grounding) append(sources, groundingSources(grounding))
  const positionOf = (bytes: number | undefined) =>
    bytes === undefined ? undefined : Math.max(0, positions.unitsIn(bytes) - partStart)
  return sources.flatMap((source) => {
    const url = stringAt(source, 'uri')
    if (url === undefined || url === '') return []
    const end = positionOf(numberAt(source, 'endIndex'))
    const start = positionOf(numberAt(source, 'startIndex') ?? (end && 0))
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
    const distinct = new Set<number>((Array.isArray(indices) ? indices : []).map(Number))
    // Not the whole page: it may have many members, and support many segments.
    return Array.from(distinct, (index) => ({
      uri: pages[index]?.uri,
      title: pages[index]?.title,
      startIndex: segment.startIndex,
      endIndex: segment.endIndex,
    }))
  })
}

/** A citation, and the offset of its part in the candidate's text, in UTF-16 code units. */
export interface PlacedCitation {
  readonly citation: Citation
  readonly partStart: number
}

/** Writes `citationMetadata`. Each official SDK reads one of its two members (docs/wire/gemini.md 1.4). */
export function writeCitations(placed: readonly PlacedCitation[], text: string): JsonObject {
  const positions = new TextPositions(text)
  const citationSources = placed.map(({ citation, partStart }) => {
    const { url, title, start, end } = citation
    return defined({
      startIndex: start === undefined ? undefined : positions.bytesIn(partStart + start),
      endIndex: end === undefined ? undefined : positions.bytesIn(partStart + end),
      uri: url,
      title,
    })
  })
  return { citationSources, citations: citationSources }
}
