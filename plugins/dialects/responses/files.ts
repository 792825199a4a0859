import { writeDataUrl } from '../../../src/generate/data-url.ts'
import type { FileField, FileFields, InlinedFile } from '../../../src/contract/files.ts'
import { stringAt } from '../../../src/lib/json/read.ts'

type Node = Parameters<FileFields['find']>[0]

/** Images and documents that a request names by URL or file id, and files for the containers of tools. */
export const responsesFiles: FileFields = {
  idPrefix: 'file-',
  idLists: new Set(['file_ids']),
  contentMembers: new Set([
    'input',
    'items',
    'content',
    'output',
    'tools',
    'tool_choice',
    'container',
    'environment',
    'input_image_mask',
    'prompt',
    'variables',
  ]),
  dictionaries: new Set(['variables']),
  find(node, key) {
    if (key === 'input_image_mask')
      return imageField(node, 'image_url') ?? imageField(node, 'file_id')
    switch (node['type']) {
      case 'input_image':
      case 'computer_screenshot':
        return imageField(node, 'image_url') ?? imageField(node, 'file_id')
      case 'input_file':
        return ['file_url', 'file_data', 'file_id']
          .map((member) => documentField(node, member))
          .find((field) => field !== undefined)
      default:
        return undefined
    }
  },
}

function imageField(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  const link = (image_url: string) => ({ image_url })
  return { member, name, link, inline: (file) => link(toDataUrl(file)) }
}

/** The inlined bytes carry a file name, which providers require for documents. */
function documentField(node: Node, member: string): FileField | undefined {
  const name = stringAt(node, member)
  if (name === undefined) return undefined
  return {
    member,
    name,
    link: (file_url) => ({ file_url }),
    inline: (file) => ({
      file_data: toDataUrl(file),
      ...(stringAt(node, 'filename') === undefined && { filename: file.name }),
    }),
  }
}

function toDataUrl({ mediaType, bytes }: InlinedFile): string {
  return writeDataUrl(mediaType, bytes.toString('base64'))
}
