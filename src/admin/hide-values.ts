import { GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'

import { numberAt } from '../lib/json/read.ts'

/**
 * Where `graphql` 17 repeats what the client has sent: variables, literals and tokens. They may be
 * secrets, which must appear in no answer and no log.
 */
const repeated: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(,?) found:? .*$/s, '.'],
  [/( has invalid value) .*$/s, '$1.'],
  [/(cannot represent [^:"]*):? .*$/s, '$1.'],
  [/^Value .* does not exist in /s, 'A value does not exist in '],
  [/(Unexpected \w+) ".*$/s, '$1.'],
]

/** The error of a body, or of a part of a URL, that is not JSON. The parsers' own errors quote the text. */
const noJson = () =>
  new GraphQLError('The body, the variables and the extensions of a request are JSON.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  })

/** Whether an error is one of `JSON.parse`, or the server's with such a cause. */
function isOfJson(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    (error instanceof GraphQLError && error.extensions['originalError'] !== undefined)
  )
}

/** Answers errors without what the client has sent, except for the names of fields and types. */
export const valueHider: Plugin = {
  onRequestParse({ requestParser: parse, setRequestParser }) {
    if (!parse) return
    setRequestParser(async (request) => {
      try {
        return await parse(request)
      } catch (error) {
        throw isOfJson(error) ? noJson() : error
      }
    })
  },
  onResultProcess({ result, setResult }) {
    if (!('errors' in result) || !Array.isArray(result.errors)) return
    setResult({ ...result, errors: result.errors.map(hideValues) })
  },
}

function hideValues(error: GraphQLError): GraphQLError {
  const message = hidden(error.message)
  const code = codeOf(error)
  if (message === error.message && code === error.extensions['code']) return error
  const { nodes, source, positions, path } = error
  const extensions = { ...error.extensions, ...(code !== undefined && { code }) }
  return new GraphQLError(message, { nodes, source, positions, path, extensions })
}

/** The code of an error. The server says `BAD_REQUEST` of a mutation by GET, though its status is 405. */
function codeOf({ extensions }: GraphQLError): unknown {
  const isWrongMethod = numberAt(extensions['http'], 'status') === 405
  return isWrongMethod ? 'METHOD_NOT_ALLOWED' : extensions['code']
}

function hidden(message: string): string {
  if (/^Variable "\$\w+" got invalid value /.test(message)) return hiddenVariable(message)
  return repeated.reduce((text, [pattern, instead]) => text.replace(pattern, instead), message)
}

/** The value stands before the place and the reason, and may contain anything. */
function hiddenVariable(message: string): string {
  const name = /^Variable "(\$\w+)"/.exec(message)?.[1]
  const place = last(message, / at "([\w.[\]]{1,100})";/g)
  const unknown = last(message, /not to include unknown field "(\w{1,64})"/g)
  const words = last(message, / does not exist in "(\w{1,64})" enum/g)
  return [
    `Variable "${name}" has an invalid value`,
    place === undefined ? '' : ` at "${place}"`,
    unknown === undefined ? '' : `: unknown field "${unknown}"`,
    words === undefined ? '' : `: no value of the enum "${words}"`,
    '.',
  ].join('')
}

function last(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1]
}
