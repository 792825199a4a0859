import type { FilePart } from '../../generate/content.ts'
import { essenceOf, isText } from '../../lib/media-type.ts'
import { withoutBlanks } from '../../lib/without-blanks.ts'
import { refused } from './read.ts'

/**
 * The text of a file, for those who look at it; `undefined` for a file by URL and for one that is not text, such as a
 * PDF. What is no UTF-8 is replaced. Throws as `readFileText` does for everything else that is not what it says: the
 * account may read words there that no plugin has seen.
 */
export function textOfFile(file: FilePart): string | undefined {
  if (file.source.kind === 'text' || !isUtf8(charsetOf(file.mediaType ?? '')))
    return readFileText(file)
  return bytesOfText(file)?.toString()
}

/**
 * Returns the text of a file; `undefined` for a file by URL and for one that is not text. Throws for text that
 * is no base64, which decodes to nothing or to another text, and for text that is not of the charset that it names.
 */
export function readFileText(file: FilePart): string | undefined {
  const { source, mediaType = '', field } = file
  if (source.kind === 'text') return source.text
  const bytes = bytesOfText(file)
  return bytes && decode(bytes, charsetOf(mediaType), field)
}

function bytesOfText({ source, mediaType = '', field }: FilePart): Buffer | undefined {
  if (source.kind !== 'data' || !isText(mediaType)) return undefined
  if (!isEncoded(source.base64)) throw refused('The data of the file is not valid base64.', field)
  return Buffer.from(source.base64, 'base64')
}

/**
 * A file whose text is UTF-8 and whose type has no parameters, for accounts that know no other charsets. Other
 * files stay as they are. Throws as `readFileText` does, unless the file says that it is UTF-8.
 */
export function inUtf8(file: FilePart): FilePart {
  const { source, mediaType = '' } = file
  if (source.kind !== 'data' || !isText(mediaType) || !mediaType.includes(';')) return file
  const text = isUtf8(charsetOf(mediaType)) ? undefined : readFileText(file)
  const base64 = text === undefined ? source.base64 : Buffer.from(text).toString('base64')
  return { ...file, source: { kind: 'data', base64 }, mediaType: essenceOf(mediaType) }
}

/** The charset that a media type names. Default: UTF-8, which includes ASCII. */
function charsetOf(mediaType: string): string {
  const [, named = 'utf-8'] = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i.exec(mediaType) ?? []
  return /^us-ascii$/i.test(named) ? 'utf-8' : named
}

function isUtf8(charset: string): boolean {
  return /^utf-?8$/i.test(charset)
}

/** To replace what cannot be decoded would also take 50 times as long in EUC-JP. */
function decode(bytes: Buffer, charset: string, field: string | undefined): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw refused(`The data of the file is no text of the charset ${charset}.`, field)
  }
}

/** Whether bytes may be written so, in base64 or base64url, with or without line breaks. */
function isEncoded(base64: string): boolean {
  // No character fits two parts of the pattern, which would take a time that grows faster than the text.
  const [, digits] = /^([\w+/-]*)=*$/.exec(withoutBlanks(base64)) ?? []
  return digits !== undefined && digits.length % 4 !== 1
}
