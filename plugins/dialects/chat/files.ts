import { writeDataUrl } from '../../../src/generate/data-url.ts'
import type { FileField, FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

type Node = Parameters<FileFields['find']>[0]

/** Pictures by `image_url`, documents by what would hold their bytes or their id. */
export const chatFiles: FileFields = {
  contentMembers: new Set(['messages', 'content', 'image_url', 'file']),
  find(node, key) {
    if (key === 'image_url') return pictureIn(node, 'url')
    if (key === 'file') return documentIn(node, 'file_data') ?? documentIn(node, 'file_id')
    return pictureIn(node, 'image_url')
  },
}

function pictureIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  const link = (url: string) => ({ [member]: url })
  return { member, name, link, inline: (file) => link(dataUrlOf(file)) }
}

/** Accounts want to know what documents are called. */
function documentIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
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
