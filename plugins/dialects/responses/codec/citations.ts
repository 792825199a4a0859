import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { count, objectsIn, text } from '../../../../src/lib/json/read.ts'

/** The annotations that cite an URL; others point at files of the account. */
export function readCitations(annotations: unknown): Citation[] {
  return objectsIn(annotations).flatMap((annotation) => readCitation(annotation) ?? [])
}

export function readCitation(annotation: JsonObject): Citation | undefined {
  const url = text(annotation, 'url')
  if (annotation.type !== 'url_citation' || url === undefined) return undefined
  const title = text(annotation, 'title')
  const start = count(annotation, 'start_index')
  const end = count(annotation, 'end_index')
  return {
    url,
    ...(title !== undefined && { title }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  }
}

/** A citation as SDKs want it, all of whose fields they require. */
export function writeCitation({ url, title, start, end }: Citation, length: number): JsonObject {
  return {
    type: 'url_citation',
    url,
    title: title ?? '',
    start_index: start ?? 0,
    end_index: end ?? length,
  }
}
