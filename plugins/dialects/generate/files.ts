import type { FileFields } from '../../../src/contract/files.ts'
import { part, text } from '../../../src/lib/json/read.ts'

/** `fileData` of parts, in both spellings that Protobuf has. */
export const generateFiles: FileFields = {
  leads: new Set([
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
    const member = part(node, 'fileData') ? 'fileData' : 'file_data'
    const file = part(node, member)
    const within = text(file, 'fileUri') === undefined ? 'file_uri' : 'fileUri'
    const name = text(file, within)
    if (name === undefined) return undefined
    const mediaType = text(file, 'mimeType') ?? text(file, 'mime_type')
    return {
      member,
      within,
      name,
      mediaType,
      link: (fileUri) => ({ fileData: { ...(mediaType && { mimeType: mediaType }), fileUri } }),
      hold: ({ mediaType: mimeType, bytes }) => ({
        inlineData: { mimeType, data: bytes.toString('base64') },
      }),
    }
  },
}
