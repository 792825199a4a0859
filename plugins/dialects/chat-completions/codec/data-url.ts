export interface DataUrl {
  readonly mediaType: string
  readonly base64: string
}

const shape = /^data:([^,;]*)((?:;[^,;]*)*),/i

/** The bytes in a `data:` URL; `undefined` for any other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const found = shape.exec(url)
  if (!found) return undefined
  const [head, mediaType, parameters] = found
  const content = url.slice(head.length)
  const isBase64 = /;\s*base64\s*$/i.test(parameters ?? '')
  return {
    mediaType: (mediaType || 'text/plain').toLowerCase(),
    base64: isBase64 ? content : Buffer.from(unescaped(content)).toString('base64'),
  }
}

/** Parameters of the type are left out: few readers expect them before the bytes. */
export function writeDataUrl(mediaType: string, base64: string): string {
  const [type = ''] = mediaType.split(';')
  return `data:${type.trim()};base64,${base64}`
}

function unescaped(content: string): string {
  try {
    return decodeURIComponent(content)
  } catch {
    return content
  }
}
