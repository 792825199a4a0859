import { GatewayError } from '../../contract/errors.ts'

/** A form that cannot be read, or that others could read in another way. */
export function invalidForm(message: string): GatewayError {
  return new GatewayError('invalid_form', message)
}

/** Readers that take half of CRLF for the end of a line would read another form. */
export function linesEndOtherwise(): GatewayError {
  return invalidForm('The lines of the form must end with CRLF.')
}

/** A header value of the kind `form-data; name="image"; filename="a.png"`. */
export interface Parameterised {
  /** What stands before the parameters, in small letters. */
  readonly value: string
  /** By name, in small letters. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Reads parameters of which readers take each the same: a name that stands twice, or a quotation
 * that does not end, is refused. Throws `GatewayError` 400.
 */
export function parseParameters(text: string, what: string): Parameterised {
  const mark = text.indexOf(';')
  const parameters = new Map<string, string>()
  const value = (mark < 0 ? text : text.slice(0, mark)).trim().toLowerCase()
  let rest = mark < 0 ? '' : text.slice(mark)
  while (rest !== '') {
    const match = separator.exec(rest) ?? parameter.exec(rest)
    if (!match) throw invalidForm(`The ${what} cannot be read.`)
    rest = rest.slice(match[0].length)
    const { name, quoted, bare } = match.groups ?? {}
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (parameters.has(key)) throw invalidForm(`The ${what} says \`${key}\` twice.`)
    parameters.set(key, quoted === undefined ? (bare ?? '') : unescaped(quoted))
  }
  return { value, parameters }
}

/** A semicolon with nothing after it, which some clients write. */
const separator = /^;[ \t]*(?=;|$)/

const parameter =
  /^;[ \t]*(?<name>[\w!#$%&'*+.^`|~-]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"[ \t]*(?=;|$)|(?<bare>[^;"\s]*)[ \t]*(?=;|$))/

/** A backslash that is part of a path stays. */
function unescaped(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1')
}

/** Texts that the account would read in another encoding could say something else to it. */
export function assertUtf8(charset: string | undefined, what: string): void {
  if (charset === undefined || /^(utf-?8|us-ascii|ascii)$/i.test(charset)) return
  throw invalidForm(`${what} must be in UTF-8, not in \`${charset.slice(0, 40)}\`.`)
}

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
