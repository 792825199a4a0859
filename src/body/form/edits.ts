import type { Form, FormPart } from '../../contract/body.ts'
import type { ByteEdit } from '../../lib/json/edit.ts'
import { boundaryOf, invalidForm } from './boundary.ts'
import { type FormPartHead, encodePartHead } from './encode.ts'

/** The edit that replaces the headers of a part; its content stays. */
export function headEdit(form: Form, part: FormPart, head: FormPartHead): ByteEdit {
  const before = form.parts[form.parts.indexOf(part) - 1]
  const delimiter = `${before ? '\r\n' : ''}--${boundaryOf(form.contentType)}\r\n`
  return {
    start: before?.end ?? 0,
    end: part.start,
    text: delimiter + encodePartHead(head),
  }
}

/** The edit that replaces the content of a part. Throws `GatewayError` 400 if it has the boundary. */
export function contentEdit(form: Form, { start, end }: FormPart, text: string): ByteEdit {
  if (text.includes(`--${boundaryOf(form.contentType)}`)) {
    throw invalidForm('A value contains the boundary of the form.')
  }
  return { start, end, text }
}

/** The bytes between the content of a part and the next boundary. */
const lineEnd = '\r\n'.length

/** The edits that remove all parts of this name, each with its boundary and headers. */
export function removeParts({ parts }: Form, name: string): ByteEdit[] {
  return parts.flatMap((part, index) => {
    if (part.name !== name) return []
    const previous = parts[index - 1]
    // The first part goes with the preamble, which servers ignore.
    const start = previous ? previous.end + lineEnd : 0
    return [{ start, end: part.end + lineEnd, text: '' }]
  })
}

/**
 * The edit that adds a text as the last part of a form. `name` must need no escapes. Throws
 * `GatewayError` 400 if the value has the boundary.
 */
export function newPart(form: Form, name: string, value: string): ByteEdit {
  const delimiter = `--${boundaryOf(form.contentType)}`
  if (value.includes(delimiter)) throw invalidForm('A value contains the boundary of the form.')
  const head = `Content-Disposition: form-data; name="${name}"`
  return {
    start: form.end,
    end: form.end,
    text: `${delimiter}\r\n${head}\r\n\r\n${value}\r\n`,
  }
}
