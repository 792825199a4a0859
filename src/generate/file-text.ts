import { essenceOf } from '../lib/media-type.ts'
import type { FilePart } from './content.ts'

/** Types of text besides `text/...`, and suffixes of such types. */
const textTypes = /^application\/(?:json|x-ndjson|jsonl|xml|(?:x-)?yaml|(?:.+\+)(?:json|xml|yaml))$/

/** The text of a file; `undefined` for a file by URL and for one that is not text, such as a PDF. */
export function textOfFile({ source, mediaType = '' }: FilePart): string | undefined {
  if (source.kind === 'text') return source.text
  const type = essenceOf(mediaType)
  if (source.kind !== 'data' || !(type.startsWith('text/') || textTypes.test(type)))
    return undefined
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(mediaType) ?? []
  return decode(Buffer.from(source.base64, 'base64'), charset)
}

/** Bytes of an unknown charset count as UTF-8. */
function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
