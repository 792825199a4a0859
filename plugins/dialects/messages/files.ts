import type { FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'
import { TextMap } from '../../../src/lib/text-map.ts'

/** File references: the sources of images and documents, as a URL or a file id. */
export const messagesFiles: FileFields = {
  idPrefix: 'file_',
  contentMembers: new Set(['messages', 'system', 'content', 'source']),
  find(node) {
    const { type } = node
    if (type === 'container_upload') {
      const name = stringAt(node, 'file_id')
      return name === undefined ? undefined : { member: 'file_id', name }
    }
    const source = type === 'image' || type === 'document' ? objectAt(node, 'source') : undefined
    const within = names.get(stringAt(source, 'type') ?? '')
    const name = within === undefined ? undefined : stringAt(source, within)
    if (within === undefined || name === undefined) return undefined
    return {
      member: 'source',
      within,
      name,
      link: (url) => ({ source: { type: 'url', url } }),
      inline: (file) => ({
        source: type === 'document' ? documentSource(file) : bytesSource(file),
      }),
    }
  },
}

/** The member with the file's name, by the type of the source. */
const names = new TextMap([
  ['url', 'url'],
  ['file', 'file_id'],
])

/** Encodes a text file as a text source: accounts accept only PDFs as bytes. */
function documentSource(file: InlinedFile): object {
  if (!file.mediaType.startsWith('text/')) return bytesSource(file)
  return { type: 'text', media_type: 'text/plain', data: file.bytes.toString() }
}

function bytesSource({ mediaType, bytes }: InlinedFile): object {
  return { type: 'base64', media_type: mediaType, data: bytes.toString('base64') }
}
