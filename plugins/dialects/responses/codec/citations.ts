import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** Returns the URL citations among annotations; other annotations refer to files of the account. */
export function readCitations(annotations: unknown): Citation[] {
  return objectsIn(annotations).flatMap((annotation) => readCitation(annotation) ?? [])
}

/** Returns an annotation as a citation; `undefined` unless it cites a URL. */
export function readCitation(annotation: JsonObject): Citation | undefined {
  const url = stringAt(annotation, 'url')
  if (annotation.type !== 'url_citation' || url === undefined) return undefined
  const title = stringAt(annotation, 'title')
  const start = numberAt(annotation, 'start_index')
  const end = numberAt(annotation, 'end_index')
  return {
    url,
    ...(title !== undefined && { title }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  }
}

/**
 * Returns a citation as an annotation with all fields, as SDKs require it. `length` is the number of
 * characters of the text, the default end.
 */
export function writeCitation({ url, title, start, end }: Citation, length: number): JsonObject {
  return {
    type: 'url_citation',
    url,
    title: title ?? '',
    start_index: start ?? 0,
    end_index: end ?? length,
  }
}
