import { type JsonObject, defined } from '../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** Whether a candidate tells where its text comes from. */
export function isCited(candidate: JsonObject): boolean {
  return (
    (candidate.citationMetadata ?? undefined) !== undefined ||
    (candidate.groundingMetadata ?? undefined) !== undefined
  )
}

/**
 * Where the text of a candidate comes from. Positions count bytes of `said`, all that it said; they
 * become UTF-16 units of the part that begins at `partStart` of it.
 */
export function readCitations(candidate: JsonObject, said: string, partStart: number): Citation[] {
  const metadata = objectAt(candidate, 'citationMetadata')
  const sources = [...objectsIn(metadata?.citationSources ?? metadata?.citations)]
  const grounding = objectAt(candidate, 'groundingMetadata')
  if (grounding) sources.push(...groundingSources(grounding))
  return sources.flatMap((source) => {
    const url = stringAt(source, 'uri')
    if (url === undefined || url === '') return []
    const end = positionOf(numberAt(source, 'endIndex'), said, partStart)
    const start = positionOf(numberAt(source, 'startIndex') ?? (end && 0), said, partStart)
    return { url, ...defined({ title: stringAt(source, 'title'), start, end }) }
  })
}

/** Pages that a search found, once for each piece of text that rests on them. */
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
  said: string,
  partStart: number,
): number | undefined {
  if (bytes === undefined) return undefined
  const position = Buffer.from(said).subarray(0, Math.max(0, bytes)).toString().length
  return Math.max(0, position - partStart)
}

/** A citation, and where its part begins in what its candidate said. */
export interface PlacedCitation {
  readonly citation: Citation
  readonly partStart: number
}

/** `citationMetadata`: each official SDK reads one of the two names (docs/wire/gemini.md 1.4). */
export function writeCitations(placed: readonly PlacedCitation[], said: string): JsonObject {
  const citationSources = placed.map(({ citation, partStart }) => {
    const { url, title, start, end } = citation
    return defined({
      startIndex: start === undefined ? undefined : bytesOf(said, partStart + start),
      endIndex: end === undefined ? undefined : bytesOf(said, partStart + end),
      uri: url,
      title,
    })
  })
  return { citationSources, citations: citationSources }
}

function bytesOf(said: string, position: number): number {
  return Buffer.byteLength(said.slice(0, position))
}
