import type { FilePart } from '../../generate/content.ts'
import { textOfFile } from '../../generate/file-text.ts'
import { refused } from './read.ts'

/**
 * Returns the text of a file; `undefined` for a file by URL and for one that is not text. Throws for text that
 * is no base64, which decodes to nothing or to another text.
 */
export function readFileText(file: FilePart): string | undefined {
  const { source, field } = file
  const text = textOfFile(file)
  if (text === undefined || source.kind !== 'data' || isEncoded(source.base64)) return text
  throw refused('The data of the file is not valid base64.', field)
}

/** Whether bytes may be written so, in base64 or base64url, with or without line breaks. */
function isEncoded(base64: string): boolean {
  const [, digits = '', rest] = /^([\w+/\s-]*)([=\s]*)$/.exec(base64) ?? []
  if (rest === undefined) return false
  return digits.replaceAll(/\s/g, '').length % 4 !== 1
}
