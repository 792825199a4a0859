import { GatewayError } from '../../contract/errors.ts'

/** The 400 for a form that is malformed or that other parsers could read differently. */
export function invalidForm(message: string): GatewayError {
  return new GatewayError('invalid_form', message)
}

/** The 400 for lines that end with CR or LF alone: some parsers accept them, others do not. */
export function wrongLineEnding(): GatewayError {
  return invalidForm('The lines of the form must end with CRLF.')
}

/** A header value with parameters, such as `form-data; name="image"; filename="a.png"`. */
interface ParameterizedValue {
  /** The value before the parameters, in lower case. */
  readonly value: string
  /** The parameters by name; names are in lower case. */
  readonly parameters: ReadonlyMap<string, string>
}

/**
 * Parses a header value with parameters and refuses values that other parsers could read differently,
 * such as duplicate names and unterminated quotes. `subject` names the header in messages. Throws
 * `GatewayError` 400.
 */
export function parseParameters(text: string, subject: string): ParameterizedValue {
  const mark = text.indexOf(';')
  const parameters = new Map<string, string>()
  const value = (mark < 0 ? text : text.slice(0, mark)).trim().toLowerCase()
  let rest = mark < 0 ? '' : text.slice(mark)
  while (rest !== '') {
    const match = separator.exec(rest) ?? parameter.exec(rest)
    if (!match) throw invalidForm(`The ${subject} is malformed.`)
    rest = rest.slice(match[0].length)
    const { name, quoted, bare } = match.groups ?? {}
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (parameters.has(key)) throw invalidForm(`The ${subject} has the parameter \`${key}\` twice.`)
    parameters.set(key, quoted === undefined ? (bare ?? '') : unescape(quoted))
  }
  return { value, parameters }
}

/** A semicolon without a parameter, which some clients send. */
const separator = /^;[ \t]*(?=;|$)/

const parameter =
  /^;[ \t]*(?<name>[\w!#$%&'*+.^`|~-]+)=(?:"(?<quoted>(?:[^"\\]|\\.)*)"[ \t]*(?=;|$)|(?<bare>[^;"\s]*)[ \t]*(?=;|$))/

/** Removes the backslash before quotes and backslashes only, so that Windows paths stay. */
function unescape(quoted: string): string {
  return quoted.replace(/\\(["\\])/g, '$1')
}

/**
 * Refuses a charset other than UTF-8, in which the account could read different texts. `subject`
 * begins the message. Throws `GatewayError` 400.
 */
export function assertUtf8(charset: string | undefined, subject: string): void {
  if (charset === undefined || /^(utf-?8|us-ascii|ascii)$/i.test(charset)) return
  throw invalidForm(`${subject} must be in UTF-8, not in \`${charset.slice(0, 40)}\`.`)
}

/** Whether a content type is any kind of multipart. */
export function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\//i.test(contentType)
}

/** Whether a content type is of a form. */
export function isForm(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*multipart\/form-data\s*(?:;|$)/i.test(contentType)
}

/** The boundary in a form's content type. Throws `GatewayError` 400, or 415 for another type. */
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
    throw invalidForm('The content type multipart/form-data has no boundary.')
  }
  if (!validBoundary.test(boundary)) {
    throw invalidForm('The boundary of the form is not valid (RFC 2046).')
  }
  return boundary
}

/** RFC 2046 section 5.1.1: at most 70 characters; the last one is not a space. */
const validBoundary = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/
