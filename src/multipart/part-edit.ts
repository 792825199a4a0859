import type { ByteEdit } from '../exchange.ts'
import { encodePartHead, type FormPartHead } from '../media/form-bytes.ts'
import { boundaryOf } from './boundary.ts'
import type { Form, FormPart } from './form.ts'
import { invalidForm } from './invalid.ts'

/** The edit that writes the headers of a part anew; what is in the part stays as it is. */
export function headEdit(form: Form, part: FormPart, head: FormPartHead): ByteEdit {
  const before = form.parts[form.parts.indexOf(part) - 1]
  const delimiter = `${before ? '\r\n' : ''}--${boundaryOf(form.contentType)}\r\n`
  return {
    start: before?.end ?? 0,
    end: part.start,
    text: delimiter + encodePartHead(head),
  }
}

/** The edit that puts something else into a part. Throws `GatewayError` 400 for the form's boundary. */
export function contentEdit(form: Form, { start, end }: FormPart, text: string): ByteEdit {
  if (text.includes(`--${boundaryOf(form.contentType)}`)) {
    throw invalidForm('A value holds the boundary of the form.')
  }
  return { start, end, text }
}
