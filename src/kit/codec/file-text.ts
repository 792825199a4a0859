import { GatewayError } from '../../contract/errors.ts'
import type { FilePart } from '../../generate/content.ts'
import { type GenerateRequest, partsOf } from '../../generate/request.ts'
import { essenceOf, isText } from '../../lib/media-type.ts'
import { charsetOf, isUtf8 } from './charsets.ts'
import { refused } from './read.ts'

/**
 * Returns the text of a file; `undefined` for a file by URL and for one that is not text. Throws for text that
 * is no base64, which decodes to nothing or to another text, and for text that is not of the charset that it names.
 */
export function readFileText(file: FilePart): string | undefined {
  const { source, mediaType = '', field } = file
  if (source.kind === 'text') return source.text
  const bytes = bytesOfText(file)
  if (!bytes) return undefined
  return decode(bytes, charsetOf(mediaType, field), field)
}

/** The most bytes of text that a request may have in base64 where they are decoded. No model reads as many. */
const mostDecoded = 8 * 1024 * 1024

/**
 * Throws `GatewayError` 413 for a request whose files of text have more than 8 MiB together. `counts`: whether a file
 * is decoded. Default: each file of text.
 */
export function assertReadable(
  { turns }: Pick<GenerateRequest, 'turns'>,
  counts: (file: FilePart) => boolean = ({ mediaType = '' }) => isText(mediaType),
): void {
  let bytes = 0
  for (const part of turns.flatMap(partsOf)) {
    if (part.type !== 'file' || part.source.kind !== 'data' || !counts(part)) continue
    bytes += Buffer.byteLength(part.source.base64, 'base64')
    if (bytes > mostDecoded) throw tooLarge(part)
  }
}

function tooLarge({ field }: FilePart): GatewayError {
  const message =
    'The documents of text in base64 are larger than 8 MiB together: send them as text, in UTF-8.'
  return new GatewayError('request_too_large', message, field === undefined ? {} : { param: field })
}

/** The bytes of a text; `undefined` for other files. Throws for text that is no base64. */
export function bytesOfText({ source, mediaType = '', field }: FilePart): Buffer | undefined {
  if (source.kind !== 'data' || !isText(mediaType)) return undefined
  const bytes = decodeBase64(source.base64)
  if (!bytes) throw refused('The data of the file is not valid base64.', field)
  return bytes
}

/** Whether a file is a text that names a charset other than UTF-8. */
export function hasOtherCharset({ source, mediaType = '', field }: FilePart): boolean {
  return source.kind === 'data' && isText(mediaType) && !isUtf8(charsetOf(mediaType, field))
}

/**
 * A file whose text is UTF-8 and whose type has no parameters, for accounts that know no other charsets. Other
 * files stay as they are. Throws as `readFileText` does, unless the file says that it is UTF-8.
 */
export function inUtf8(file: FilePart): FilePart {
  const { source, mediaType = '' } = file
  if (source.kind !== 'data' || !isText(mediaType) || !mediaType.includes(';')) return file
  const text = hasOtherCharset(file) ? readFileText(file) : undefined
  const base64 = text === undefined ? source.base64 : Buffer.from(text).toString('base64')
  return { ...file, source: { kind: 'data', base64 }, mediaType: essenceOf(mediaType) }
}

/**
 * Decodes bytes. Throws for bytes that are invalid in the charset: to replace them would also take 50 times as long
 * in EUC-JP.
 */
export function decode(bytes: Buffer, charset: string, field: string | undefined): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw refused(`The data of the file is no text of the charset ${charset}.`, field)
  }
}

/**
 * Decodes base64 or base64url, with or without blanks and line breaks; returns `undefined` for an invalid text.
 * `Buffer.from` skips invalid characters, so that other readers may find other bytes. The time grows with the length
 * alone.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const padding = text.indexOf('=')
  const digits = padding < 0 ? text : text.slice(0, padding)
  if (/[^\w+/ \t\n\v\f\r-]/.test(digits)) return undefined
  if (padding >= 0 && /[^= \t\n\v\f\r]/.test(text.slice(padding))) return undefined
  const bytes = Buffer.from(digits, 'base64')
  if (bytes.length % 3 > 0) return bytes
  return isLastDigitAlone(digits, bytes.length) ? undefined : bytes
}

/**
 * Whether the digits end with a single digit beyond the last whole group: without it they decode to as many bytes.
 * To count digits among blanks would take longer than to decode them again.
 */
function isLastDigitAlone(digits: string, length: number): boolean {
  const last = digits.trimEnd().length - 1
  return last >= 0 && Buffer.from(digits.slice(0, last), 'base64').length === length
}
