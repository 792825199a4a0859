import { writeDataUrl } from '../../../src/generate/data-url.ts'
import type { FileField, FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

type Node = Parameters<FileFields['find']>[0]

/** Pictures and documents by a URL, or by what would be an id at the account. */
export const responsesFiles: FileFields = {
  contentMembers: new Set(['input', 'items', 'content', 'output']),
  find(node) {
    switch (node['type']) {
      case 'input_image':
      case 'computer_screenshot':
        return pictureIn(node, 'image_url') ?? pictureIn(node, 'file_id')
      case 'input_file':
        return ['file_url', 'file_data', 'file_id']
          .map((member) => documentIn(node, member))
          .find((field) => field !== undefined)
      default:
        return undefined
    }
  },
}

function pictureIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  const link = (image_url: string) => ({ image_url })
  return { member, name, link, inline: (file) => link(dataUrlOf(file)) }
}

/** Accounts want to know what documents are called. */
function documentIn(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  return {
    member,
    name,
    link: (file_url) => ({ file_url }),
    inline: (file) => ({
      file_data: dataUrlOf(file),
      ...(stringAt(node, 'filename') === undefined && { filename: file.name }),
    }),
  }
}

function dataUrlOf({ mediaType, bytes }: InlinedFile): string {
  return writeDataUrl(mediaType, bytes.toString('base64'))
}
