import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type {
  FilePart,
  ImagePart,
  ToolResult,
  UserPart,
} from '../../../../../src/generate/content.ts'
import { urlOf } from '../../../../../src/generate/data-url.ts'
import { inUtf8 } from '../../../../../src/kit/codec/file-text.ts'
import { fileName, imageType } from '../media.ts'

/** Encodes the parts of a user, system or tool message. */
export function encodeParts(parts: readonly UserPart[]): JsonObject[] {
  return parts.flatMap(encodePart)
}

function encodePart(part: UserPart): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'input_text', text: part.text }]
    case 'image':
      return [encodeImage(part)]
    case 'file':
      return encodeFile(part)
    case 'audio':
      return []
  }
}

/** Encodes an image. The API requires `detail`. */
export function encodeImage({ source, mediaType, detail = 'auto' }: ImagePart): JsonObject {
  const image_url = urlOf(source, imageType(source, mediaType))
  return { type: 'input_image', image_url, detail }
}

/** A document's title and context precede it; a plain text document becomes text. */
function encodeFile(file: FilePart): JsonObject[] {
  const { source, mediaType = 'application/pdf', name, title, context } = inUtf8(file)
  const about = [title, context].filter((text) => text !== undefined && text !== '')
  if (source.kind === 'text') {
    return [{ type: 'input_text', text: [...about, source.text].join('\n\n') }]
  }
  const header = about.length > 0 ? [{ type: 'input_text', text: about.join('\n\n') }] : []
  if (source.kind === 'url') return [...header, { type: 'input_file', file_url: source.url }]
  const filename = name ?? fileName(mediaType)
  return [...header, { type: 'input_file', filename, file_data: urlOf(source, mediaType) }]
}

/** Encodes a tool result: a string if it has only text parts, else a list of parts. */
export function encodeOutput({ content, failed }: ToolResult): string | JsonObject[] {
  const parts = encodeParts(content)
  const texts = parts.map((part) => part.text)
  if (texts.every((text) => typeof text === 'string')) {
    return (failed ? 'Error: ' : '') + texts.join('\n')
  }
  return failed ? [{ type: 'input_text', text: 'Error:' }, ...parts] : parts
}
