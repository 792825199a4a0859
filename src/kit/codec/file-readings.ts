import { isAscii, isUtf8 as isValidUtf8 } from 'node:buffer'

import type { FilePart } from '../../generate/content.ts'
import { charsetOf, charsetsIn, isUtf8, keepsAscii } from './charsets.ts'
import { bytesOfText, decode, hasOtherCharset } from './file-text.ts'
import { refused } from './read.ts'

/**
 * The texts of a file that plugins inspect: the first is decoded in the file's charset. Others follow where an account
 * that gets the bytes may read other words: in UTF-8 if it ignores the charset, and in a charset that only a careless
 * reader finds in the type. A file by URL and a file that is not text, such as a PDF, have no texts. Invalid UTF-8 is
 * replaced. Throws as `readFileText` does for an unknown charset and for bytes that are invalid in another charset: the
 * account may read words there that no plugin has seen.
 */
export function textsOfFile(file: FilePart): readonly string[] {
  if (file.source.kind === 'text') return [file.source.text]
  const bytes = bytesOfText(file)
  if (!bytes) return []
  return [ownText(file, bytes), ...otherTexts(file, bytes)]
}

function ownText(file: FilePart, bytes: Buffer): string {
  const { mediaType = '', field } = file
  if (!hasOtherCharset(file)) return bytes.toString()
  return decode(bytes, charsetOf(mediaType, field), field)
}

function otherTexts({ mediaType = '', field }: FilePart, bytes: Buffer): string[] {
  if (!mediaType.includes(';')) return []
  const texts: string[] = []
  const own = charsetOf(mediaType, field)
  const [other, ...more] = [...charsetsIn(mediaType)].filter(
    (name) => name !== own && !isUtf8(name),
  )
  if (more.length > 0) throw refused('The media type of the file names several charsets.', field)
  if (other !== undefined) texts.push(decode(bytes, other, field))
  if (!isUtf8(own) && hasUtf8(own, bytes)) {
    texts.push(new TextDecoder().decode(bytes))
  }
  return texts
}

/** Whether bytes of another charset may have words in UTF-8 that its own text lacks. */
function hasUtf8(charset: string, bytes: Buffer): boolean {
  return !keepsAscii(charset) || (isValidUtf8(bytes) && !isAscii(bytes))
}
