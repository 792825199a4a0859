import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { withoutBlanks } from '../../../../../src/lib/without-blanks.ts'
import { canonicalType } from '../../../../../src/lib/media-type.ts'
import { inUtf8 } from '../../../../../src/kit/codec/file-text.ts'
import type { AudioPart, FilePart, ImagePart } from '../../../../../src/generate/content.ts'

/** Encodes a medium as parts. A plain-text document becomes a text part that begins with its title. */
export function encodeMedia(part: ImagePart | AudioPart | FilePart): JsonObject[] {
  const heading = part.type === 'file' ? headingOf(part) : ''
  const { source } = part
  if (source.kind === 'text' && part.type === 'file') {
    return textPart(documentText(part, source.text))
  }
  return [...textPart(heading), sourceOf(part)]
}

/** Encodes a medium as one part, without its title. */
export function sourceOf(part: ImagePart | AudioPart | FilePart): JsonObject {
  const { source, mediaType } = part.type === 'file' ? inUtf8(part) : part
  if (source.kind === 'url') {
    const mimeType = mediaType && canonicalType(mediaType)
    return { fileData: defined({ fileUri: source.url, mimeType }) }
  }
  const data =
    source.kind === 'data'
      ? withoutBlanks(source.base64)
      : Buffer.from(source.text).toString('base64')
  return { inlineData: { mimeType: canonicalType(mediaType || defaultTypes[part.type]), data } }
}

const defaultTypes = { image: 'image/png', audio: 'audio/wav', file: 'application/pdf' } as const

/** The text of a plain-text document, after its title and context. */
export function documentText(file: FilePart, text: string): string {
  const heading = headingOf(file)
  return heading === '' ? text : `${heading}\n\n${text}`
}

/** The lines that name a document for the model: its title and context. */
export function headingOf({ source, name, title, context }: FilePart): string {
  return [title ?? (source.kind === 'text' ? name : undefined), context]
    .filter((line) => line !== undefined && line !== '')
    .join('\n')
}

function textPart(text: string): JsonObject[] {
  return text === '' ? [] : [{ text }]
}
