import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** The web addresses among annotations. Positions count from `start` of the whole content. */
export function readCitations(annotations: unknown, start: number): Citation[] {
  return objectsIn(annotations).flatMap((annotation) => {
    const cited = objectAt(annotation, 'url_citation')
    const url = stringAt(cited, 'url')
    if (!url) return []
    const title = stringAt(cited, 'title')
    const from = numberAt(cited, 'start_index')
    const to = numberAt(cited, 'end_index')
    return {
      url,
      ...(title && { title }),
      ...(from !== undefined && { start: Math.max(0, from - start) }),
      ...(to !== undefined && { end: Math.max(0, to - start) }),
    }
  })
}

/**
 * A citation of a text that stands from `start` to `end` of the content; of the whole text where
 * the provider does not say which piece. Clients check that all four members are there.
 */
export function annotationOf(citation: Citation, start: number, end: number): object {
  return {
    type: 'url_citation',
    url_citation: {
      start_index: citation.start === undefined ? start : start + citation.start,
      end_index: citation.end === undefined ? end : start + citation.end,
      url: citation.url,
      title: citation.title ?? '',
    },
  }
}
