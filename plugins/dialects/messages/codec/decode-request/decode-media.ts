import { append } from '../../../../../src/lib/append.ts'
import { wrong } from '../../../../../src/kit/checks.ts'
import type { FilePart, ImagePart, TextPart } from '../../../../../src/generate/content.ts'
import { canonicalType } from '../../../../../src/lib/media-type.ts'
import { noteBlock, noteMembers } from './members.ts'
import { type Block, type MessageNotes, readBlocks, readTextMember } from './read.ts'
import {
  booleanMember,
  objectMember,
  readObject,
  textMember,
} from '../../../../../src/kit/codec/read.ts'

/** The parts that user messages and tool results may have. */
export type ContentPart = TextPart | ImagePart | FilePart

const uploaded = 'only the account that stores a file knows its id'

/** Reads an image block. */
export function readImage({ json, path }: Block, notes: MessageNotes): ImagePart[] {
  const source = readObject(json.source, `${path}.source`)
  const at = `${path}.source`
  noteMembers('source', source, at, notes)
  const oversized = objectMember(json, 'transformations', path)?.oversized_image ?? 'downsize'
  if (oversized !== 'downsize') {
    notes.extra(`${path}.transformations`, 'warn', 'other dialects scale large images down')
  }
  switch (source.type) {
    case 'base64':
      notes.uses('image_input', path)
      return [
        {
          type: 'image',
          source: { kind: 'data', base64: readTextMember(source, 'data', at) },
          mediaType: canonicalType(readTextMember(source, 'media_type', at)),
          field: path,
        },
      ]
    case 'url':
      notes.uses('image_input', path)
      notes.uses('image_url', path)
      return [
        {
          type: 'image',
          source: { kind: 'url', url: readTextMember(source, 'url', at) },
          field: path,
        },
      ]
    case 'file':
      notes.native(at, uploaded)
      return []
    default:
      throw wrong(`${at}.type`, 'one of base64, url, file')
  }
}

/** Reads a document block. */
export function readDocument(block: Block, notes: MessageNotes): ContentPart[] {
  const { json, path } = block
  const at = `${path}.source`
  const source = readObject(json.source, at)
  noteMembers('source', source, at, notes)
  noteDocument(block, notes)
  const attributes = attributesOf(block)
  switch (source.type) {
    case 'base64':
      notes.uses('file_input', path)
      return [
        {
          type: 'file',
          source: { kind: 'data', base64: readTextMember(source, 'data', at) },
          mediaType: canonicalType(textMember(source, 'media_type', at) ?? 'application/pdf'),
          ...attributes,
        },
      ]
    case 'url':
      notes.uses('file_input', path)
      notes.uses('file_url', path)
      return [
        {
          type: 'file',
          source: { kind: 'url', url: readTextMember(source, 'url', at) },
          mediaType: 'application/pdf',
          ...attributes,
        },
      ]
    case 'text':
      return [textFile(readTextMember(source, 'data', at), attributes)]
    case 'content':
      return readContent(source.content, `${at}.content`, attributes, notes)
    case 'file':
      notes.native(at, uploaded)
      return []
    default:
      throw wrong(`${at}.type`, 'one of base64, text, content, url, file')
  }
}

function noteDocument({ json, path }: Block, notes: MessageNotes): void {
  if (textMember(json, 'context', path) !== undefined)
    notes.uses('document_context', `${path}.context`)
  else if (textMember(json, 'title', path) !== undefined)
    notes.uses('document_context', `${path}.title`)
  const citations = objectMember(json, 'citations', path)
  if (citations) noteMembers('documentCitations', citations, `${path}.citations`, notes)
  if (booleanMember(citations, 'enabled', `${path}.citations`) !== true) return
  notes.extra(`${path}.citations`, 'warn', 'other dialects have no citations of documents')
}

type Attributes = Pick<FilePart, 'title' | 'context' | 'field'>

function attributesOf({ json, path }: Block): Attributes {
  const title = textMember(json, 'title', path)
  const context = textMember(json, 'context', path)
  return {
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    field: path,
  }
}

function textFile(data: string, attributes: Attributes): FilePart {
  return {
    type: 'file',
    source: { kind: 'text', text: data },
    mediaType: 'text/plain',
    ...attributes,
  }
}

/** Reads a document of blocks: its texts become one file, its images follow. */
function readContent(
  content: unknown,
  path: string,
  attributes: Attributes,
  notes: MessageNotes,
): ContentPart[] {
  const texts: string[] = []
  const images: ImagePart[] = []
  for (const block of readBlocks(content, path)) {
    noteBlock(block, notes)
    if (block.type === 'image') append(images, readImage(block, notes))
    else texts.push(readTextMember(block.json, 'text', block.path))
  }
  return [textFile(texts.join('\n'), attributes), ...images]
}

/** Reads a search result as text with its title and source. Other dialects have no search results. */
export function readSearchResult({ json, path }: Block, notes: MessageNotes): TextPart {
  notes.extra(path, 'warn', 'other dialects have no search results; it becomes plain text')
  booleanMember(objectMember(json, 'citations', path), 'enabled', `${path}.citations`)
  const texts = readBlocks(json.content, `${path}.content`).map((block) =>
    readTextMember(block.json, 'text', block.path),
  )
  const title = readTextMember(json, 'title', path)
  const label = `Search result: ${title} (${readTextMember(json, 'source', path)})`
  return { type: 'text', text: [label, ...texts].join('\n') }
}
