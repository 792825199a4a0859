import type { Citation } from '../../../../src/generate/content.ts'
import { numberAt, objectsIn, objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/**
 * Reads the `url_citation` annotations of a message. Annotations count characters in the whole content;
 * the citations count them from `start`, where the text part begins. Skips annotations without a URL.
 */
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
 * Writes a citation of the text part that spans `start` to `end` of the content. A citation without
 * positions covers the whole part. Clients require all four members of `url_citation`.
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
