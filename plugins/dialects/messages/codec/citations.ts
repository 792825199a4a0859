import type { Citation } from '../../../../src/generate/content.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** Reads a citation of a web page or search result; returns `undefined` for a source without a URL. */
export function readCitation(citation: unknown): Citation | undefined {
  const type = stringAt(citation, 'type')
  const url =
    type === 'web_search_result_location'
      ? stringAt(citation, 'url')
      : type === 'search_result_location'
        ? stringAt(citation, 'source')
        : undefined
  if (!url) return undefined
  const title = stringAt(citation, 'title')
  return { url, ...(title !== undefined && { title }) }
}

/** Reads the citations of a text block that have a URL. */
export function readCitations(citations: unknown): Citation[] {
  return objectsIn(citations).flatMap((citation) => readCitation(citation) ?? [])
}
