import type { MediaSource } from './content.ts'

export interface DataUrl {
  /** As the URL tells it; absent where it does not. */
  readonly mediaType?: string
  readonly base64: string
}

const shape = /^data:([^,;]*)((?:;[^,;]*)*),/i

/** The bytes in a `data:` URL; `undefined` for any other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const found = shape.exec(url)
  if (!found) return undefined
  const [head, mediaType = '', parameters = ''] = found
  const content = url.slice(head.length)
  const isBase64 = /;\s*base64\s*$/i.test(parameters)
  return {
    base64: isBase64 ? content : Buffer.from(unescaped(content)).toString('base64'),
    ...(mediaType !== '' && { mediaType: mediaType.toLowerCase() }),
  }
}

/** Parameters of the type are left out: few readers expect them before the bytes. */
export function writeDataUrl(mediaType: string, base64: string): string {
  const [type = ''] = mediaType.split(';')
  return `data:${type.trim()};base64,${base64}`
}

/** The URL of a medium, a `data:` URL where its bytes are known. */
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
