import { writeDataUrl } from '../../../src/generate/data-url.ts'
import type { FileField, FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

type Node = Parameters<FileFields['find']>[0]

/** File references: images in `image_url`, documents in `file_data` or `file_id`. */
export const chatFiles: FileFields = {
  idPrefix: 'file-',
  contentMembers: new Set(['messages', 'content', 'image_url', 'file']),
  find(node, key) {
    if (key === 'image_url') return imageIn(node, 'url')
    // An id goes first: no bytes beside it may hide whose file it names.
    if (key === 'file') return documentIn(node, 'file_id') ?? documentIn(node, 'file_data')
    return imageIn(node, 'image_url')
  },
}

function imageIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  const link = (url: string) => ({ [member]: url })
  return { member, name, link, inline: (file) => link(dataUrlOf(file)) }
}

/** Accounts require the file name of a document. */
function documentIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (!name) return undefined
  return {
    member,
    name,
    inline: (file) => ({
      file_data: dataUrlOf(file),
      ...(stringAt(node, 'filename') === undefined && { filename: file.name }),
    }),
  }
}

function dataUrlOf({ mediaType, bytes }: InlinedFile): string {
  return writeDataUrl(mediaType, bytes.toString('base64'))
}
