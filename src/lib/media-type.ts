/** Wrong spellings of media types that clients and servers use. */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
])

/** A media type in its registered spelling, in lower case. Parameters stay as they are. */
export function canonicalType(mediaType: string): string {
  const semicolon = mediaType.indexOf(';')
  const end = semicolon < 0 ? mediaType.length : semicolon
  const type = mediaType.slice(0, end).trim().toLowerCase()
  return (synonyms.get(type) ?? type) + mediaType.slice(end)
}

/** A media type without parameters, in its registered spelling: `image/png`. */
export function essenceOf(mediaType: string): string {
  return canonicalType(mediaType.split(';', 1)[0] ?? '')
}

/** Whether browsers may run the content of a type, in registered spelling: HTML, XML and images of XML. */
export function isMarkup(essence: string): boolean {
  return /xml|svg|html/.test(essence)
}
