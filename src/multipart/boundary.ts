import { GatewayError } from '../errors.ts'
import { assertUtf8 } from './charset.ts'
import { invalidForm } from './invalid.ts'
import { parseParameters } from './parameters.ts'

/** Whether a body says that it is made of parts, of whatever kind. */
export function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\//i.test(contentType)
}

/** The boundary that a form's content type names. Throws `GatewayError` 400, or 415 for no form. */
export function boundaryOf(contentType: string): string {
  const { value, parameters } = parseParameters(contentType, 'content type of the request')
  if (value !== 'multipart/form-data') {
    throw new GatewayError(
      'unsupported_media_type',
      'Send this request as multipart/form-data or application/json.',
    )
  }
  assertUtf8(parameters.get('charset'), 'The form')
  const boundary = parameters.get('boundary')
  if (boundary === undefined || boundary === '') {
    throw invalidForm('The content type multipart/form-data names no boundary.')
  }
  if (!valid.test(boundary)) {
    throw invalidForm('The boundary of the form is not one that RFC 2046 allows.')
  }
  return boundary
}

/** RFC 2046 section 5.1.1: at most 70 characters, of which the last is no blank. */
const valid = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/
