import type { Source } from '../../../../src/generate/content.ts'

interface Medium {
  readonly source: Source
  readonly mediaType?: string
}

const dataUrl = /^data:([^;,]*)((?:;[^;,]*)*),/i

/** A medium that stands in a data URL, or behind any other URL. */
export function readUrl(url: string): Medium {
  const match = dataUrl.exec(url)
  if (!match) return { source: { kind: 'url', url } }
  const [head, mediaType = '', parameters = ''] = match
  const body = url.slice(head.length)
  const base64 = /;base64$/i.test(parameters) ? body : base64OfText(body)
  return { source: { kind: 'data', base64 }, ...(mediaType !== '' && { mediaType }) }
}

function base64OfText(encoded: string): string {
  return Buffer.from(unescaped(encoded)).toString('base64')
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The URL of a medium, a data URL where its bytes are known. */
export function writeUrl(source: Source, mediaType: string): string {
  if (source.kind === 'url') return source.url
  const base64 =
    source.kind === 'data' ? source.base64 : Buffer.from(source.text).toString('base64')
  return `data:${mediaType};base64,${base64}`
}

const signs = [
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const

/** The type of a picture, by its first bytes where nobody told. */
export function imageType(source: Source, mediaType: string | undefined): string {
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
