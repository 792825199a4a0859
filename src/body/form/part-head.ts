import { assertUtf8, invalidForm, parseParameters } from './boundary.ts'

/** The parsed headers of a part. */
export interface ParsedPartHead {
  readonly name: string
  /** `undefined` for a text part. */
  readonly filename: string | undefined
  /** The content type as the client sent it. */
  readonly type: string | undefined
}

/** The most headers of a part. */
const maxHeaders = 32

/**
 * Parses the headers of a part, given without the empty line after them. It refuses headers that
 * other parsers could read differently: the account must see the form that the gateway has checked.
 * Throws `GatewayError` 400.
 */
export function readPartHead(bytes: Buffer): ParsedPartHead {
  const headers = readHeaders(bytes.toString('latin1'))
  const disposition = headers.get('content-disposition')
  if (disposition === undefined) throw invalidForm('A part of the form has no Content-Disposition.')
  const { value, parameters } = parseParameters(disposition, 'Content-Disposition of a part')
  const name = parameters.get('name')
  if (value !== 'form-data' || name === undefined || name === '' || parameters.has('name*')) {
    throw invalidForm('The Content-Disposition of a part must be form-data with a name.')
  }
  assertUnencoded(headers.get('content-transfer-encoding'))
  const head = {
    name: decodeValue(name),
    filename: filenameIn(parameters),
    type: headers.get('content-type'),
  }
  if (head.filename === undefined && head.type !== undefined) {
    const type = parseParameters(head.type, 'Content-Type of a part')
    assertUtf8(type.parameters.get('charset'), `Part \`${shorten(head.name)}\` of the form`)
  }
  return head
}

/** Shortens a client's name for a message. */
export function shorten(name: string): string {
  return name.slice(0, 100)
}

function readHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  const lines = text === '' ? [] : text.split('\r\n')
  if (lines.length > maxHeaders) throw invalidForm('A part of the form has too many headers.')
  for (const line of lines) {
    // Continuation lines (RFC 822) are refused: few parsers support them.
    const groups = header.exec(line)?.groups
    if (!groups) throw invalidForm('A header in the form is malformed.')
    const name = (groups['name'] as string).toLowerCase()
    if (headers.has(name))
      throw invalidForm(`A part of the form has two headers \`${shorten(name)}\`.`)
    headers.set(name, (groups['value'] as string).trim())
  }
  return headers
}

// oxlint-disable-next-line no-control-regex -- control characters are what it refuses
const header = /^(?<name>[\w!#$%&'*+.^`|~-]+):(?<value>[^\x00-\x08\x0a-\x1f\x7f]*)$/

/** Allows only transfer encodings that change nothing (RFC 7578 section 4.7). */
function assertUnencoded(encoding: string | undefined): void {
  if (encoding === undefined || /^(7bit|8bit|binary)$/i.test(encoding)) return
  throw invalidForm('The parts of a form must not have a Content-Transfer-Encoding.')
}

function filenameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const extended = parameters.get('filename*')
  const filename = parameters.get('filename')
  if (extended !== undefined) return withoutPath(decodeExtended(extended))
  return filename === undefined ? undefined : withoutPath(decodeValue(filename))
}

/** Decodes UTF-8 that was read as Latin-1, and the three characters that browsers escape. */
function decodeValue(value: string): string {
  return Buffer.from(value, 'latin1')
    .toString()
    .replaceAll('%22', '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n')
}

/** Decodes an extended value (RFC 8187), such as `UTF-8'en'na%C3%AFve.png`. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  assertUtf8(charset || 'none', 'A file name')
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw invalidForm('A `filename*` in the form is not validly encoded.')
  }
}

/** Removes the directory, which some browsers send. */
function withoutPath(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1)
}
