import { canonicalType, essenceOf } from '../lib/media-type.ts'
import type { MediaSource } from './content.ts'

/** The content of a `data:` URL. */
export interface DataUrl {
  /** Absent if the URL has none. */
  readonly mediaType?: string
  readonly base64: string
}

const shape = /^data:([^,;]*)((?:;[^,;]*)*),/i

/** Reads a `data:` URL; returns `undefined` for any other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const found = shape.exec(url)
  if (!found) return undefined
  const [head, mediaType = '', parameters = ''] = found
  const content = url.slice(head.length)
  const isBase64 = /;\s*base64\s*$/i.test(parameters)
  return {
    base64: isBase64 ? content : Buffer.from(unescaped(content)).toString('base64'),
    ...(mediaType !== '' && { mediaType: canonicalType(mediaType) }),
  }
}

/** Writes a `data:` URL without the parameters of the media type, which few servers accept. */
export function writeDataUrl(mediaType: string, base64: string): string {
  return `data:${essenceOf(mediaType)};base64,${base64}`
}

/** The URL of a medium; a `data:` URL if its bytes are known. */
export function urlOf(source: MediaSource, mediaType: string): string {
  if (source.kind === 'url') return source.url
  const { base64 } =
    source.kind === 'data' ? source : { base64: Buffer.from(source.text).toString('base64') }
  return writeDataUrl(mediaType, base64)
}

function unescaped(content: string): string {
  try {
    return decodeURIComponent(content)
  } catch {
    return content
  }
}
