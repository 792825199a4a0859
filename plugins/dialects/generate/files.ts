import type { FileField, FileFields } from '../../../src/contract/files.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** File references: `fileData` of parts, and cached contents, in both spellings of Protobuf. */
export const generateFiles: FileFields = {
  idPrefix: 'cachedContents/',
  contentMembers: new Set([
    'contents',
    'parts',
    'functionResponse',
    'function_response',
    'systemInstruction',
    'system_instruction',
    'generateContentRequest',
    'generate_content_request',
  ]),
  find(node) {
    const cached = cachedContentOf(node)
    if (cached) return cached
    const member = objectAt(node, 'fileData') ? 'fileData' : 'file_data'
    const file = objectAt(node, member)
    const within = stringAt(file, 'fileUri') === undefined ? 'file_uri' : 'fileUri'
    const name = stringAt(file, within)
    if (name === undefined) return undefined
    const mediaType = stringAt(file, 'mimeType') ?? stringAt(file, 'mime_type')
    return {
      member,
      within,
      name,
      mediaType,
      link: (fileUri) => ({ fileData: { ...(mediaType && { mimeType: mediaType }), fileUri } }),
      inline: ({ mediaType: mimeType, bytes }) => ({
        inlineData: { mimeType, data: bytes.toString('base64') },
      }),
    }
  },
}

function cachedContentOf(node: JsonObject): FileField | undefined {
  for (const member of ['cachedContent', 'cached_content']) {
    const name = stringAt(node, member)
    if (name) return { member, name }
  }
  return undefined
}
