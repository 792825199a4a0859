import type { RequestBody } from './body.ts'
import type { ByteEdit } from './exchange.ts'
import { newPart } from './multipart/new-part.ts'

/** What names the model to an account, in a request that names none; the rest stays as it is. */
export function modelInserted({ form, bytes, members }: RequestBody, model: string): ByteEdit {
  if (form) return newPart(form, 'model', model)
  const name = JSON.stringify(model)
  const given = members.get('model')
  // `null` means that there is none.
  if (given) return { ...given, text: name }
  const at = bytes.indexOf('{') + 1
  return { start: at, end: at, text: `"model":${name}${members.size > 0 ? ',' : ''}` }
}
