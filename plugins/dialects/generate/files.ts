import type { FileFields } from '../../../src/contract/files.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** File references: `fileData` of parts, in both spellings of Protobuf. */
export const generateFiles: FileFields = {
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
