import { invalidForm } from './invalid.ts'

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
