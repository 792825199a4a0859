import type { RequestBody } from './body.ts'
import type { ByteEdit } from './exchange.ts'
import { removeMember } from './json-edit.ts'
import { partRemoved } from './multipart/part-removed.ts'

/** What takes a field out of a request, wherever it stands at the top; the rest stays as it is. */
export function fieldRemoved({ form, bytes, members }: RequestBody, name: string): ByteEdit[] {
  if (form) return partRemoved(form, name)
  if (!members.has(name)) return []
  const object = { start: bytes.indexOf('{'), end: bytes.lastIndexOf('}') + 1 }
  return removeMember(bytes, object, name)
}
