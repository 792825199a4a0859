import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { FilePart, MediaSource } from '../../../../../src/generate/content.ts'
import { inUtf8 } from '../../../../../src/kit/codec/file-text.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import { defined, type JsonObject } from '../../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { essenceOf, isText } from '../../../../../src/lib/media-type.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'
import { withoutBlanks } from '../../../../../src/lib/without-blanks.ts'
import type { Message } from '../../../shared/blocks/encode-turns.ts'

/** The formats of documents by media type. Other texts are plain text. */
const formats = new Map([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
])

/** In characters. The API accepts 200, of which a number may take a part. */
const longestName = 180

/** Encodes the documents of a request, each with a name of its own: accounts refuse two of one name. */
export class DocumentWriter {
  readonly #titleField: string | undefined
  readonly #drop: RecordLoss
  /** How often each name has been given. */
  readonly #names = new TextMap<number>()

  constructor(titleField: string | undefined, drop: RecordLoss) {
    this.#titleField = titleField
    this.#drop = drop
  }

  /** Encodes a document; no block if it is empty. Throws where accounts do not accept its type. */
  encode(given: FilePart): JsonObject[] {
    const file = inUtf8(given)
    const { source, mediaType = 'application/pdf', context, field } = file
    const type = essenceOf(mediaType)
    const format = formats.get(type) ?? (isText(type) || source.kind === 'text' ? 'txt' : undefined)
    if (format === undefined) {
      throw refused(`The accounts of this model accept no files of type "${type}".`, field)
    }
    const bytes = bytesOf(source, field)
    if (bytes === '') return []
    const name = this.#name(file)
    return [
      { document: defined({ name, format, source: { bytes }, context: context || undefined }) },
    ]
  }

  #name({ title, name: fileName }: FilePart): string {
    const asked = withoutEnding(title || fileName)
    const name = validName(asked) || 'Document'
    const count = (this.#names.get(name) ?? 0) + 1
    this.#names.set(name, count)
    const written = count === 1 ? name : `${name} (${count})`
    if (title && asked !== written) {
      const reason = `the Converse API limits the names of documents; it is sent as "${written}"`
      this.#drop(this.#titleField ?? 'title', reason)
    }
    return written
  }
}

/** A name without an ending such as `.pdf`: names have no dots, and the format says it. */
function withoutEnding(name = ''): string {
  return name.replace(/\.[A-Za-z]{2,8}$/, '')
}

/** A name of letters, digits, hyphens, brackets and single blanks. */
function validName(name: string): string {
  const valid = name.slice(0, longestName).replaceAll(/[^A-Za-z0-9()[\]\s-]/g, '-')
  return valid.split(/\s+/).join(' ').trim()
}

/** Accounts refuse documents without a text beside them: such a message gets the names of its documents as text. */
export function nameDocuments(messages: readonly Message[]): void {
  for (const { role, content } of messages) {
    if (role !== 'user' || content.some((block) => 'text' in block)) continue
    const names = content.flatMap((block) => stringAt(objectAt(block, 'document'), 'name') ?? [])
    if (names.length > 0) content.push({ text: names.join('\n') })
  }
}

/** The bytes of a medium in base64. Throws for a URL: accounts fetch none. */
export function bytesOf(source: MediaSource, field: string | undefined): string {
  if (source.kind === 'data') return withoutBlanks(source.base64)
  if (source.kind === 'text') return Buffer.from(source.text).toString('base64')
  throw refused('The accounts of this model accept no URLs of files.', field)
}
