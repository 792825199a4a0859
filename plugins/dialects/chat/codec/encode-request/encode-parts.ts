import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  AudioPart,
  FilePart,
  ImagePart,
  TextPart,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { readFileText } from '../../../../../src/kit/codec/file-text.ts'
import { urlOf, writeDataUrl } from '../../../../../src/generate/data-url.ts'

/** Encodes user content: a single text as a string, anything else as a list of parts. */
export function encodeUserContent(parts: readonly UserPart[]): string | JsonObject[] {
  const encoded = parts.flatMap(encodeUserPart)
  const [only] = encoded
  return encoded.length === 1 && typeof only?.text === 'string' ? only.text : encoded
}

function encodeUserPart(part: UserPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [textOf(part.text)]
    case 'image':
      return [imageOf(part)]
    case 'audio':
      return [audioOf(part)]
    case 'file':
      return fileOf(part)
  }
}

function textOf(text: string): JsonObject {
  return { type: 'text', text }
}

function imageOf({ source, mediaType = 'image/png', detail }: ImagePart): JsonObject {
  return {
    type: 'image_url',
    image_url: {
      url: urlOf(source, mediaType),
      ...(detail && { detail: detail === 'original' ? 'high' : detail }),
    },
  }
}

const audioFormats = new Map([
  ['audio/wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
])

/** Encodes audio as `input_audio` if it is WAV or MP3, and as a file otherwise. */
function audioOf({ source, mediaType }: AudioPart): JsonObject {
  if (source.kind === 'url') return textOf(`Audio: ${source.url}`)
  const format = audioFormats.get(mediaType.toLowerCase())
  const data = bytesOf(source)
  if (format) return { type: 'input_audio', input_audio: { data, format } }
  return dataFile(mediaType, data, undefined)
}

/**
 * Encodes a file. A document of text, such as CSV or JSON, becomes a text part that begins with its
 * title, because accounts accept only PDFs as files.
 */
function fileOf(part: FilePart): JsonObject[] {
  const { source, mediaType, name, title } = part
  const text = readFileText(part)
  if (text !== undefined) return [textOf(documentText(part, text))]
  const heading = headingOf(part, source.kind === 'url' ? name : undefined)
  switch (source.kind) {
    case 'url':
      return [textOf(heading === '' ? source.url : `${heading}\n${source.url}`)]
    default: {
      const file = dataFile(mediaType ?? 'application/pdf', bytesOf(source), name || title)
      return heading === '' ? [file] : [textOf(heading), file]
    }
  }
}

/** The text of a document of text, after its title or name and its context. */
export function documentText(file: FilePart, text: string): string {
  const heading = headingOf(file, file.name)
  return heading === '' ? text : `${heading}\n\n${text}`
}

function headingOf({ title, context }: FilePart, name: string | undefined): string {
  return [title ?? name, context].filter((line) => line !== undefined && line !== '').join('\n')
}

function dataFile(mediaType: string, base64: string, name: string | undefined): JsonObject {
  return {
    type: 'file',
    file: { filename: name || nameFor(mediaType), file_data: writeDataUrl(mediaType, base64) },
  }
}

function nameFor(mediaType: string): string {
  const [, subtype = 'bin'] = mediaType.split('/')
  return `file.${subtype.replace(/^x-|[;+].*/gs, '')}`
}

function bytesOf(source: Exclude<ImagePart['source'], { kind: 'url' }>): string {
  return source.kind === 'data' ? source.base64 : Buffer.from(source.text).toString('base64')
}

/** Joins the texts of parts. */
export function joinTexts(parts: readonly TextPart[], separator: string): string {
  return parts.map(({ text }) => text).join(separator)
}
