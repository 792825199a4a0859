import { TextMap } from './text-map.ts'

/** Wrong spellings of media types that clients and servers use. */
const synonyms: ReadonlyMap<string, string> = new TextMap([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
])

/** A media type in its registered spelling, in lower case. Parameters stay as they are. */
export function canonicalType(mediaType: string): string {
  return essenceOf(mediaType) + mediaType.slice(essenceEnd(mediaType))
}

/** A media type without parameters, in its registered spelling: `image/png`. */
export function essenceOf(mediaType: string): string {
  const type = mediaType.slice(0, essenceEnd(mediaType)).trim().toLowerCase()
  return synonyms.get(type) ?? type
}

function essenceEnd(mediaType: string): number {
  const semicolon = mediaType.indexOf(';')
  return semicolon < 0 ? mediaType.length : semicolon
}

/** Whether browsers may run the content of a type, in registered spelling: HTML, XML and images of XML. */
export function isMarkup(essence: string): boolean {
  return /xml|svg|html/.test(essence)
}

/** Types of text besides `text/...`, and suffixes of such types. */
const textTypes = /^application\/(?:json|x-ndjson|jsonl|xml|(?:x-)?yaml|(?:.+\+)(?:json|xml|yaml))$/

/** Whether the bytes of a type are text, such as CSV, JSON or HTML. */
export function isText(mediaType: string): boolean {
  const type = essenceOf(mediaType)
  return type.startsWith('text/') || textTypes.test(type)
}
