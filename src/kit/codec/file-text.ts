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
  const written = base64.replaceAll(/\s+/g, '')
  // No character fits two parts of the pattern, which would take a time that grows faster than the text.
  const [, digits] = /^([\w+/-]*)=*$/.exec(written) ?? []
  return digits !== undefined && digits.length % 4 !== 1
}
