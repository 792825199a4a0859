import { assertUtf8, invalidForm, parseParameters } from './boundary.ts'

/** What the headers of a part say. */
export interface FormPartHead {
  readonly name: string
  /** `undefined` for a part that is no file. */
  readonly filename: string | undefined
  /** As it was written. */
  readonly type: string | undefined
}

export const mostHeaders = 32

/**
 * Reads the headers of a part, without the empty line after them. What different readers would
 * read differently is refused: the account must see the form that the gateway has checked. Throws
 * `GatewayError` 400.
 */
export function readPartHead(bytes: Buffer): FormPartHead {
  const headers = readHeaders(bytes.toString('latin1'))
  const disposition = headers.get('content-disposition')
  if (disposition === undefined) throw invalidForm('A part of the form has no Content-Disposition.')
  const { value, parameters } = parseParameters(disposition, 'Content-Disposition of a part')
  const name = parameters.get('name')
  if (value !== 'form-data' || name === undefined || name === '' || parameters.has('name*')) {
    throw invalidForm('The Content-Disposition of a part must be form-data with a name.')
  }
  assertPlain(headers.get('content-transfer-encoding'))
  const head = {
    name: decodeValue(name),
    filename: filenameIn(parameters),
    type: headers.get('content-type'),
  }
  if (head.filename === undefined && head.type !== undefined) {
    const type = parseParameters(head.type, 'Content-Type of a part')
    assertUtf8(type.parameters.get('charset'), `Part \`${shown(head.name)}\` of the form`)
  }
  return head
}

/** For messages. */
export function shown(name: string): string {
  return name.slice(0, 100)
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  const lines = text === '' ? [] : text.split('\r\n')
  if (lines.length > mostHeaders) throw invalidForm('A part of the form has too many headers.')
  for (const line of lines) {
    // Without lines that go on from the one before (RFC 822), which few readers know.
    const groups = header.exec(line)?.groups
    if (!groups) throw invalidForm('A header in the form cannot be read.')
    const name = (groups['name'] as string).toLowerCase()
    if (headers.has(name))
      throw invalidForm(`A part of the form has two headers \`${shown(name)}\`.`)
    headers.set(name, (groups['value'] as string).trim())
  }
  return headers
}

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const header = /^(?<name>[\w!#$%&'*+.^`|~-]+):(?<value>[^\x00-\x08\x0a-\x1f\x7f]*)$/

/** Encodings that are none (RFC 7578 section 4.7). */
function assertPlain(encoding: string | undefined): void {
  if (encoding === undefined || /^(7bit|8bit|binary)$/i.test(encoding)) return
  throw invalidForm('The parts of a form must not have a Content-Transfer-Encoding.')
}

function filenameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const extended = parameters.get('filename*')
  const filename = parameters.get('filename')
  if (extended !== undefined) return withoutPath(decodeExtended(extended))
  return filename === undefined ? undefined : withoutPath(decodeValue(filename))
}

/** UTF-8 that was read as Latin-1, and the three characters that browsers encode. */
function decodeValue(value: string): string {
  return Buffer.from(value, 'latin1')
    .toString()
    .replaceAll('%22', '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n')
}

/** RFC 8187: `UTF-8'en'na%C3%AFve.png`. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  assertUtf8(charset || 'none', 'A file name')
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw invalidForm('A file name in the form is not encoded as `filename*` must be.')
  }
}

/** Some browsers tell where the file was. */
function withoutPath(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
}
