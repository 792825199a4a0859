import { hash } from 'node:crypto'

/**
 * The id of a record: its owner and kind as words, then an id that clients or accounts chose, which may
 * contain spaces. Different words or ids never have the same record: a text that could be mistaken for
 * another, or that a store cannot write, becomes a hash. Ordinary texts stay as they are.
 */
export function recordIdOf(words: readonly string[], id: string): string {
  return recordPrefixOf(words) + (isOrdinary(id) ? id : hashed(id))
}

/** The beginning of the ids of all records of an owner; no record of another owner begins with it. */
export function recordPrefixOf(words: readonly string[]): string {
  let prefix = ''
  for (const word of words) prefix += `${isWord(word) ? word : hashed(word)} `
  return prefix
}

/** The parts of a record's id. A text that is stored as a hash cannot be read back. */
interface RecordIdParts {
  readonly words: readonly (string | undefined)[]
  readonly id: string | undefined
}

/** The parts of an id that `recordIdOf` made of so many words; `undefined` for another id. */
export function readRecordId(recordId: string, words: number): RecordIdParts | undefined {
  const parts: (string | undefined)[] = []
  let at = 0
  for (let index = 0; index < words; index++) {
    const end = recordId.indexOf(' ', at)
    if (end < 0) return undefined
    parts.push(unlessHash(recordId.slice(at, end)))
    at = end + 1
  }
  return { words: parts, id: unlessHash(recordId.slice(at)) }
}

function unlessHash(text: string): string | undefined {
  return text.startsWith(mark) ? undefined : text
}

/** Characters. Longer texts would only fill the store. */
const longest = 512

/** Marks a hash: no ordinary text begins with it. */
const mark = '%'

/** A store cannot write half of a surrogate pair. */
function isOrdinary(text: string): boolean {
  return text.length <= longest && !text.startsWith(mark) && text.isWellFormed()
}

/** Whether a text ends at the next space of an id. */
function isWord(text: string): boolean {
  return text !== '' && !text.includes(' ') && isOrdinary(text)
}

/** In UTF-16, because UTF-8 has the same bytes for all halves of surrogate pairs. */
function hashed(text: string): string {
  return mark + hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')
}
