import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import type { AudioPart, FilePart, ImagePart } from '../../../../../src/generate/content.ts'

/** A medium as parts. A document of plain text is a text, with what it is called in front of it. */
export function encodeMedia(part: ImagePart | AudioPart | FilePart): JsonObject[] {
  const heading = part.type === 'file' ? headingOf(part) : ''
  const { source } = part
  if (source.kind === 'text' && part.type === 'file') {
    return textPart(heading === '' ? source.text : `${heading}\n\n${source.text}`)
  }
  return [...textPart(heading), sourceOf(part)]
}

/** A medium as one part, without words. */
export function sourceOf(part: ImagePart | AudioPart | FilePart): JsonObject {
  const { source, mediaType } = part
  if (source.kind === 'url') {
    return { fileData: defined({ fileUri: source.url, mimeType: mediaType }) }
  }
  const data =
    source.kind === 'data'
      ? source.base64.replaceAll(/\s/g, '')
      : Buffer.from(source.text).toString('base64')
  return { inlineData: { mimeType: mediaType || usualTypes[part.type], data } }
}

const usualTypes = { image: 'image/png', audio: 'audio/wav', file: 'application/pdf' } as const

function headingOf({ source, name, title, context }: FilePart): string {
  return [title ?? (source.kind === 'text' ? name : undefined), context]
    .filter((line) => line !== undefined && line !== '')
    .join('\n')
}

function textPart(text: string): JsonObject[] {
  return text === '' ? [] : [{ text }]
}
