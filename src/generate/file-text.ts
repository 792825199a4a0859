import { essenceOf } from '../lib/media-type.ts'
import type { FilePart } from './content.ts'

/** Types of text besides `text/...`, and suffixes of such types. */
const textTypes = /^application\/(?:json|x-ndjson|jsonl|xml|(?:x-)?yaml|(?:.+\+)(?:json|xml|yaml))$/

/**
 * The text of a file, of which characters may be missing: `U+FFFD` stands for what is no text of its charset.
 * `undefined` for a file by URL and for one that is not text, such as a PDF.
 */
export function textOfFile({ source, mediaType = '' }: FilePart): string | undefined {
  if (source.kind === 'text') return source.text
  if (source.kind !== 'data' || !isText(mediaType)) return undefined
  const bytes = Buffer.from(source.base64, 'base64')
  return decodeText(bytes, charsetOf(mediaType), false) ?? bytes.toString()
}

/** Whether the bytes of a type are text, such as CSV, JSON or HTML. */
export function isText(mediaType: string): boolean {
  const type = essenceOf(mediaType)
  return type.startsWith('text/') || textTypes.test(type)
}

/** The charset that a media type names. Default: UTF-8. */
export function charsetOf(mediaType: string): string {
  return /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(mediaType)?.[1] ?? 'utf-8'
}

/** Decodes bytes; `undefined` for an unknown charset and, if `isExact`, for bytes that are no text of the charset. */
export function decodeText(bytes: Buffer, charset: string, isExact: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: isExact }).decode(bytes)
  } catch {
    return undefined
  }
}
