import type { Citation } from '../../../../src/generate/content.ts'
import { objectsIn, stringAt } from '../../../../src/lib/json/read.ts'

/** Where text comes from, as far as it has an address that others can follow. */
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

export function readCitations(citations: unknown): Citation[] {
  return objectsIn(citations).flatMap((citation) => readCitation(citation) ?? [])
}
