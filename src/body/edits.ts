import type { RequestBody } from '../contract/body.ts'
import { type ByteEdit, removeMember } from '../lib/json/edit.ts'
import { newPart, partRemoved } from './form/edits.ts'

/** What names the model to an account, in a request that names none; the rest stays as it is. */
export function insertModel({ form, bytes, members }: RequestBody, model: string): ByteEdit {
  if (form) return newPart(form, 'model', model)
  const name = JSON.stringify(model)
  const given = members.get('model')
  // `null` means that there is none.
  if (given) return { ...given, text: name }
  const at = bytes.indexOf('{') + 1
  return { start: at, end: at, text: `"model":${name}${members.size > 0 ? ',' : ''}` }
}

/** What takes a field out of a request, wherever it stands at the top; the rest stays as it is. */
export function removeField({ form, bytes, members }: RequestBody, name: string): ByteEdit[] {
  if (form) return partRemoved(form, name)
  if (!members.has(name)) return []
  const object = { start: bytes.indexOf('{'), end: bytes.lastIndexOf('}') + 1 }
  return removeMember(bytes, object, name)
}
