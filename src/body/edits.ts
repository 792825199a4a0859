import type { RequestBody } from '../contract/body.ts'
import { type ByteEdit, removeMember } from '../lib/json/edit.ts'
import { newPart, removeParts } from './form/edits.ts'

/** The edit that adds `model` to a request without one; all other bytes stay. */
export function insertModel({ form, bytes, members }: RequestBody, model: string): ByteEdit {
  if (form) return newPart(form, 'model', model)
  const name = JSON.stringify(model)
  const existing = members.get('model')
  // A `model` that stands there is `null`, which counts as absent.
  if (existing) return { ...existing, text: name }
  const at = bytes.indexOf('{') + 1
  return { start: at, end: at, text: `"model":${name}${members.size > 0 ? ',' : ''}` }
}

/** The edits that remove every top-level occurrence of a field; all other bytes stay. */
export function removeField({ form, bytes, members }: RequestBody, name: string): ByteEdit[] {
  if (form) return removeParts(form, name)
  if (!members.has(name)) return []
  const object = { start: bytes.indexOf('{'), end: bytes.lastIndexOf('}') + 1 }
  return removeMember(bytes, object, name)
}
