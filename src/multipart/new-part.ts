import type { ByteEdit } from '../exchange.ts'
import { boundaryOf } from './boundary.ts'
import type { Form } from './form.ts'
import { invalidForm } from './invalid.ts'

/** The edit that adds a text to a form, as its last part. `name` needs no escapes. */
export function newPart(form: Form, name: string, value: string): ByteEdit {
  const delimiter = `--${boundaryOf(form.contentType)}`
  if (value.includes(delimiter)) throw invalidForm('A value holds the boundary of the form.')
  const head = `Content-Disposition: form-data; name="${name}"`
  return {
    start: form.end,
    end: form.end,
    text: `${delimiter}\r\n${head}\r\n\r\n${value}\r\n`,
  }
}
