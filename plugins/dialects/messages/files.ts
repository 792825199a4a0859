import type { FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { objectAt, stringAt } from '../../../src/lib/json/read.ts'

/** Sources of images and documents, by a URL or by what would be an id at the account. */
export const messagesFiles: FileFields = {
  contentMembers: new Set(['messages', 'system', 'content', 'source']),
  find(node) {
    const { type } = node
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

/** What names the file of a source, by the source's type. */
const names = new Map([
  ['url', 'url'],
  ['file', 'file_id'],
])

/** Text has a form of its own: accounts take bytes of PDF alone. */
function documentSource(file: InlinedFile): object {
  if (!file.mediaType.startsWith('text/')) return bytesSource(file)
  return { type: 'text', media_type: 'text/plain', data: file.bytes.toString() }
}

function bytesSource({ mediaType, bytes }: InlinedFile): object {
  return { type: 'base64', media_type: mediaType, data: bytes.toString('base64') }
}
