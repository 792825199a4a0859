import { chatFiles } from '../../plugins/dialects/chat/files.ts'
import type { FileFields } from '../../src/contract/files.ts'

/** The bytes of a text, and how often one of them has been read since. */
export function countedBytes(text: string): { bytes: Buffer; reads: () => number } {
  const plain = Buffer.from(text)
  let reads = 0
  const bytes = new Proxy(plain, {
    get(_, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads++
      const value: unknown = Reflect.get(plain, name)
      return typeof value === 'function' ? (value.bind(plain) as unknown) : value
    },
  })
  return { bytes, reads: () => reads }
}

/** The files of chats, and how many objects have been looked at for one. */
export function countedFields(): { fields: FileFields; looks: () => number } {
  let looks = 0
  const find: FileFields['find'] = (node, key) => {
    looks++
    return chatFiles.find(node, key)
  }
  return { fields: { ...chatFiles, find }, looks: () => looks }
}

/** Content so many levels deep, with a list of numbers beside `value` at the bottom. */
export function buried(value: unknown, levels: number): unknown {
  const numbers = Array.from({ length: 2_000 }, () => 0)
  let content: unknown = [...numbers, value]
  for (let level = 0; level < levels; level++) content = { content }
  return content
}
