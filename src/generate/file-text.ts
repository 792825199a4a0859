import { essenceOf } from '../lib/media-type.ts'
import type { FilePart } from './content.ts'

/** Types of text besides `text/...`, and suffixes of such types. */
const textTypes = /^application\/(?:json|x-ndjson|jsonl|xml|(?:x-)?yaml|(?:.+\+)(?:json|xml|yaml))$/

/** The text of a file; `undefined` for a file by URL and for one that is not text, such as a PDF. */
export function textOfFile({ source, mediaType = '' }: FilePart): string | undefined {
  if (source.kind === 'text') return source.text
  if (source.kind !== 'data' || !isText(mediaType)) return undefined
  return decode(Buffer.from(source.base64, 'base64'), charsetOf(mediaType))
}

/**
 * A file whose text is UTF-8 and whose type has no parameters, for accounts that know no other charsets. Other
 * files stay as they are.
 */
export function inUtf8(file: FilePart): FilePart {
  const { source, mediaType = '' } = file
  if (source.kind !== 'data' || !isText(mediaType) || !mediaType.includes(';')) return file
  const text = isUtf8(charsetOf(mediaType)) ? undefined : textOfFile(file)
  const base64 = text === undefined ? source.base64 : Buffer.from(text).toString('base64')
  return { ...file, source: { kind: 'data', base64 }, mediaType: essenceOf(mediaType) }
}

/** Whether the bytes of a type are text, such as CSV, JSON or HTML. */
export function isText(mediaType: string): boolean {
  const type = essenceOf(mediaType)
  return type.startsWith('text/') || textTypes.test(type)
}

function charsetOf(mediaType: string): string {
  return /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(mediaType)?.[1] ?? 'utf-8'
}

function isUtf8(charset: string): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(charset)
}

/** Bytes of an unknown charset count as UTF-8. */
function decode(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
