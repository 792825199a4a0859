import type { Form, FormPart } from '../../contract/body.ts'
import type { ByteEdit } from '../../lib/json/edit.ts'
import { boundaryOf, invalidForm } from './boundary.ts'
import { type FormPartHead, encodePartHead } from './encode.ts'

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

/** After the content of a part and before the line of the next boundary. */
const lineEnd = '\r\n'.length

/** The edits that take the parts of this name out of a form, each with its boundary and headers. */
export function partRemoved({ parts }: Form, name: string): ByteEdit[] {
  return parts.flatMap((part, index) => {
    if (part.name !== name) return []
    const previous = parts[index - 1]
    // Before the first one may be words for readers who know no forms: nobody misses them.
    const start = previous ? previous.end + lineEnd : 0
    return [{ start, end: part.end + lineEnd, text: '' }]
  })
}

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
