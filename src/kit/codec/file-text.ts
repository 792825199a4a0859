import type { FilePart } from '../../generate/content.ts'
import { charsetOf, decodeText, isText } from '../../generate/file-text.ts'
import { essenceOf } from '../../lib/media-type.ts'
import { refused } from './read.ts'

/**
 * Returns the text of a file; `undefined` for a file by URL and for one that is not text. Throws for text that
 * is no base64, which decodes to nothing or to another text, and for text that is not of the charset that it names.
 */
export function readFileText({ source, mediaType = '', field }: FilePart): string | undefined {
  if (source.kind === 'text') return source.text
  if (source.kind !== 'data' || !isText(mediaType)) return undefined
  if (!isEncoded(source.base64)) throw refused('The data of the file is not valid base64.', field)
  const charset = charsetOf(mediaType)
  const text = decodeText(Buffer.from(source.base64, 'base64'), charset, true)
  if (text === undefined)
    throw refused(`The data of the file is no text of the charset ${charset}.`, field)
  return text
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

function isUtf8(charset: string): boolean {
  return /^(?:utf-?8|us-ascii)$/i.test(charset)
}

/** Whether bytes may be written so, in base64 or base64url, with or without line breaks. */
function isEncoded(base64: string): boolean {
  const written = base64.replaceAll(/\s+/g, '')
  // No character fits two parts of the pattern, which would take a time that grows faster than the text.
  const [, digits] = /^([\w+/-]*)=*$/.exec(written) ?? []
  return digits !== undefined && digits.length % 4 !== 1
}
