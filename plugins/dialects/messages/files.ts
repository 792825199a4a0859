import type { FileFields, HeldFile } from '../../../src/contract/files.ts'
import { part, text } from '../../../src/lib/json/read.ts'

/** Sources of images and documents, by a URL or by what would be an id at the account. */
export const messagesFiles: FileFields = {
  leads: new Set(['messages', 'system', 'content', 'source']),
  find(node) {
    const { type } = node
    const source = type === 'image' || type === 'document' ? part(node, 'source') : undefined
    const within = names.get(text(source, 'type') ?? '')
    const name = within === undefined ? undefined : text(source, within)
    if (within === undefined || name === undefined) return undefined
    return {
      member: 'source',
      within,
      name,
      link: (url) => ({ source: { type: 'url', url } }),
      hold: (file) => ({ source: type === 'document' ? documentSource(file) : bytesSource(file) }),
    }
  },
}

/** What names the file of a source, by the source's type. */
const names = new Map([
  ['url', 'url'],
  ['file', 'file_id'],
])

/** Text has a form of its own: accounts take bytes of PDF alone. */
function documentSource(file: HeldFile): object {
  if (!file.mediaType.startsWith('text/')) return bytesSource(file)
  return { type: 'text', media_type: 'text/plain', data: file.bytes.toString() }
}

function bytesSource({ mediaType, bytes }: HeldFile): object {
  return { type: 'base64', media_type: mediaType, data: bytes.toString('base64') }
}
