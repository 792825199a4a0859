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
    // An id goes first: no URL beside it may hide whose file it names.
    if (key === 'input_image_mask') return fieldOf(node, ['file_id', 'image_url'], imageField)
    switch (node['type']) {
      case 'input_image':
      case 'computer_screenshot':
        return fieldOf(node, ['file_id', 'image_url'], imageField)
      case 'input_file':
        return fieldOf(node, ['file_id', 'file_url', 'file_data'], documentField)
      default:
        return undefined
    }
  },
}

/** The field of the first of these members that has a name. */
function fieldOf(
  node: Node,
  members: readonly string[],
  toField: (node: Node, member: string, name: string) => FileField,
): FileField | undefined {
  for (const member of members) {
    const name = stringAt(node, member)
    if (name) return toField(node, member, name)
  }
  return undefined
}

function imageField(_node: Node, member: string, name: string): FileField {
  const link = (image_url: string) => ({ image_url })
  return { member, name, link, inline: (file) => link(toDataUrl(file)) }
}

/** The inlined bytes carry a file name, which providers require for documents. */
function documentField(node: Node, member: string, name: string): FileField {
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
