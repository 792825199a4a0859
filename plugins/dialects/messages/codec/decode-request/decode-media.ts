import { wrong } from '../../../../../src/kit/checks.ts'
import type { FilePart, ImagePart, TextPart } from '../../../../../src/generate/content.ts'
import { objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { noteBlock, noteMembers } from './members.ts'
import { type Block, type MessageNotes, readBlocks, readText } from './read.ts'
import { readObject } from '../../../../../src/kit/codec/read.ts'

export type Shown = TextPart | ImagePart | FilePart

const uploaded = 'a file that was uploaded to one account is known there only'

export function readImage({ json, path }: Block, notes: MessageNotes): ImagePart[] {
  const source = readObject(json.source, `${path}.source`)
  const at = `${path}.source`
  noteMembers('source', source, at, notes)
  if (json.transformations !== undefined) notes.hint(path, 'transformations')
  switch (source.type) {
    case 'base64':
      notes.uses('image_input', path)
      return [
        {
          type: 'image',
          source: { kind: 'data', base64: readText(source, 'data', at) },
          mediaType: readText(source, 'media_type', at),
          field: path,
        },
      ]
    case 'url':
      notes.uses('image_input', path)
      notes.uses('image_url', path)
      return [
        { type: 'image', source: { kind: 'url', url: readText(source, 'url', at) }, field: path },
      ]
    case 'file':
      notes.native(at, uploaded)
      return []
    default:
      throw wrong(`${at}.type`, 'one of base64, url, file')
  }
}

export function readDocument(block: Block, notes: MessageNotes): Shown[] {
  const { json, path } = block
  const at = `${path}.source`
  const source = readObject(json.source, at)
  noteMembers('source', source, at, notes)
  noteDocument(block, notes)
  const about = aboutDocument(block)
  switch (source.type) {
    case 'base64':
      notes.uses('file_input', path)
      return [
        {
          type: 'file',
          source: { kind: 'data', base64: readText(source, 'data', at) },
          mediaType: stringAt(source, 'media_type') ?? 'application/pdf',
          ...about,
        },
      ]
    case 'url':
      notes.uses('file_input', path)
      notes.uses('file_url', path)
      return [
        {
          type: 'file',
          source: { kind: 'url', url: readText(source, 'url', at) },
          mediaType: 'application/pdf',
          ...about,
        },
      ]
    case 'text':
      return [textFile(readText(source, 'data', at), about)]
    case 'content':
      return readContent(source.content, `${at}.content`, about, notes)
    case 'file':
      notes.native(at, uploaded)
      return []
    default:
      throw wrong(`${at}.type`, 'one of base64, text, content, url, file')
  }
}

function noteDocument({ json, path }: Block, notes: MessageNotes): void {
  if (stringAt(json, 'context') !== undefined) notes.uses('document_context', `${path}.context`)
  else if (stringAt(json, 'title') !== undefined) notes.uses('document_context', `${path}.title`)
  const citations = objectAt(json, 'citations')
  if (citations) noteMembers('documentCitations', citations, `${path}.citations`, notes)
  if (citations?.enabled !== true) return
  notes.extra(`${path}.citations`, 'warn', 'citations of documents have no form elsewhere')
}

type About = Pick<FilePart, 'title' | 'context' | 'field'>

function aboutDocument({ json, path }: Block): About {
  const title = stringAt(json, 'title')
  const context = stringAt(json, 'context')
  return {
    ...(title !== undefined && { title }),
    ...(context !== undefined && { context }),
    field: path,
  }
}

function textFile(data: string, about: About): FilePart {
  return { type: 'file', source: { kind: 'text', text: data }, mediaType: 'text/plain', ...about }
}

/** A document that is made of blocks: its text in one, its images after it. */
function readContent(content: unknown, path: string, about: About, notes: MessageNotes): Shown[] {
  const texts: string[] = []
  const images: ImagePart[] = []
  for (const block of readBlocks(content, path)) {
    noteBlock(block, notes)
    if (block.type === 'image') images.push(...readImage(block, notes))
    else texts.push(readText(block.json, 'text', block.path))
  }
  return [textFile(texts.join('\n'), about), ...images]
}

/** Elsewhere a search result is text with its title and address. */
export function readSearchResult({ json, path }: Block, notes: MessageNotes): TextPart {
  notes.extra(path, 'warn', 'elsewhere there are no search results; it is told as plain text')
  const texts = readBlocks(json.content, `${path}.content`).map((block) =>
    readText(block.json, 'text', block.path),
  )
  const title = readText(json, 'title', path)
  const label = `Search result: ${title} (${readText(json, 'source', path)})`
  return { type: 'text', text: [label, ...texts].join('\n') }
}
