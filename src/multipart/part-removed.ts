import type { ByteEdit } from '../exchange.ts'
import type { Form } from './form.ts'

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
