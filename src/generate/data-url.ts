import { canonicalType, essenceOf, isText } from '../lib/media-type.ts'
import type { MediaSource } from './content.ts'

/** The content of a `data:` URL. */
export interface DataUrl {
  /** Absent if the URL names no media type. It has parameters if it is a text type with a charset. */
  readonly mediaType?: string
  readonly base64: string
}

/** The most characters before the content. The search for the end of many millions would overflow the stack. */
const longestHead = 8_192
const shape = /^data:([^,;]*)((?:;[^,;]*)*),/i

/** Reads a `data:` URL; returns `undefined` for any other text. */
export function readDataUrl(url: string): DataUrl | undefined {
  const found = shape.exec(url.slice(0, longestHead))
  if (!found) return undefined
  const [head, mediaType = '', parameters = ''] = found
  const content = url.slice(head.length)
  const isBase64 = /;\s*base64\s*$/i.test(parameters)
  return {
    base64: isBase64 ? content : unescaped(content).toString('base64'),
    ...(mediaType !== '' && {
      mediaType: canonicalType(mediaType) + parametersOf(mediaType, parameters),
    }),
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

/** The parameters of a text type with a charset; a quoted text may be a part of them. Empty for other media. */
function parametersOf(mediaType: string, parameters: string): string {
  if (!isText(mediaType) || !/charset/i.test(parameters)) return ''
  return parameters.replace(/;\s*base64\s*$/i, '')
}

const percent = 0x25

/** The bytes of a text with `%` escapes. A `%` that begins no escape stays as it is. */
function unescaped(content: string): Buffer {
  const bytes = Buffer.from(content)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const isEscape = bytes[at] === percent && at + 2 < bytes.length
    const escaped = isEscape ? byteOf(bytes[at + 1]!, bytes[at + 2]!) : -1
    if (escaped >= 0) at += 2
    bytes[length++] = escaped >= 0 ? escaped : bytes[at]!
  }
  return bytes.subarray(0, length)
}

/** The byte of two hexadecimal digits; negative if either is not a digit. */
function byteOf(high: number, low: number): number {
  const [first, second] = [digitOf(high), digitOf(low)]
  return first < 0 || second < 0 ? -1 : first * 16 + second
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
