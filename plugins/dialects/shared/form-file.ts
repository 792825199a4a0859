import type { Form, FormPart, RequestBody } from '../../../src/contract/body.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { plainName } from './form-values.ts'

/** The form of a request. Throws `GatewayError` 415 for another body. */
export function formIn({ form }: RequestBody): Form {
  if (form) return form
  throw new GatewayError('unsupported_media_type', 'Send this request as multipart/form-data.')
}

/** The one file of a form. Throws `GatewayError` 400 for none, and for more than one. */
export function fileOf(form: Form, name: string): FormPart {
  const files = form.parts.filter(
    (part) => part.filename !== undefined || plainName(part.name) === name,
  )
  const [file] = files
  if (!file) throw missing(name)
  if (files.length > 1 || file.name !== name || file.filename === undefined)
    throw wrong(name, 'one file, with exactly this name')
  return file
}

/** The error for a field that a form has to have. */
export function missing(param: string): GatewayError {
  return new GatewayError('missing_required_parameter', `\`${param}\` is required.`, { param })
}
