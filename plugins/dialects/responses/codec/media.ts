import type { MediaSource } from '../../../../src/generate/content.ts'
import { readDataUrl } from '../../../../src/generate/data-url.ts'

interface Medium {
  readonly source: MediaSource
  readonly mediaType?: string
}

/** A medium that stands in a data URL, or behind any other URL. */
export function readUrl(url: string): Medium {
  const data = readDataUrl(url)
  if (!data) return { source: { kind: 'url', url } }
  const { base64, mediaType } = data
  return { source: { kind: 'data', base64 }, ...(mediaType !== undefined && { mediaType }) }
}

const signs = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const

/** The type of a picture, by its first bytes where nobody told. */
export function imageType(source: MediaSource, mediaType: string | undefined): string {
  if (mediaType?.startsWith('image/')) return mediaType
  const start = source.kind === 'data' ? source.base64 : ''
  return signs.find(([sign]) => start.startsWith(sign))?.[1] ?? 'image/png'
}

const extensions: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
}

/** The name of a file that its client did not name: providers know the kind of a file by it. */
export function fileName(mediaType: string): string {
  return `document.${extensions[mediaType] ?? mediaType.split('/').at(-1)}`
}
