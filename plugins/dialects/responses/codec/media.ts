import type { MediaSource } from '../../../../src/generate/content.ts'
import { readDataUrl } from '../../../../src/generate/data-url.ts'
import { essenceOf } from '../../../../src/lib/media-type.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

interface Medium {
  readonly source: MediaSource
  readonly mediaType?: string
}

/** Returns the source of a data URL or of any other URL. */
export function readUrl(url: string): Medium {
  const data = readDataUrl(url)
  if (!data) return { source: { kind: 'url', url } }
  const { base64, mediaType } = data
  return { source: { kind: 'data', base64 }, ...(mediaType !== undefined && { mediaType }) }
}

const base64Prefixes = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const

/** Returns the media type of an image; the first bytes decide if none is given. */
export function imageType(source: MediaSource, mediaType: string | undefined): string {
  if (mediaType?.startsWith('image/')) return mediaType
  const start = source.kind === 'data' ? source.base64 : ''
  return base64Prefixes.find(([prefix]) => start.startsWith(prefix))?.[1] ?? 'image/png'
}

const extensions: ReadonlyMap<string, string> = new TextMap([
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
])

/** Returns a name for an unnamed file; providers derive the file type from its extension. */
export function fileName(mediaType: string): string {
  const type = essenceOf(mediaType)
  return `document.${extensions.get(type) ?? type.split('/').at(-1)}`
}
