import type { ClientRequest } from '../../contract/request.ts'
import { shortestSecret } from './mask.ts'

/** The parts of a request that carry credentials. */
type Carriers = Pick<ClientRequest, 'headers' | 'query'>

/** Credentials of one request. A client has one, and a few carriers of it. */
const mostPresented = 8

/**
 * The credential that a dialect reads, and all that a request has in the usual places of one: in the headers of
 * authorization the value of each scheme, a name and a password, the headers of keys, and the parameters of keys.
 * Each is there once, the longest first, since a shorter one may be a part of it. `undefined` if these are more
 * than any client has: a stranger chooses how many.
 */
export function presentedCredentials(
  request: Carriers,
  read: string | undefined,
): readonly string[] | undefined {
  const found = new Set<string>()
  if (read !== undefined && read.length >= shortestSecret) found.add(read)
  for (const value of valuesOf(request)) {
    if (value.length >= shortestSecret) found.add(value)
    if (found.size > mostPresented) return undefined
  }
  return [...found].toSorted((one, other) => other.length - one.length)
}

const authorizations = ['authorization', 'proxy-authorization']

const keyHeaders = [
  'x-api-key',
  'api-key',
  'apikey',
  'x-goog-api-key',
  'x-auth-token',
  'x-access-token',
  'anthropic-api-key',
  'ocp-apim-subscription-key',
]

const keyParameters: ReadonlySet<string> = new Set([
  'key',
  'api_key',
  'api-key',
  'apikey',
  'x-api-key',
  'access_token',
  'token',
])

function* valuesOf({ headers, query }: Carriers): Generator<string> {
  for (const name of authorizations) {
    for (const part of partsOf(headers[name])) yield* schemeParts(part)
  }
  for (const name of keyHeaders) {
    for (const part of partsOf(headers[name])) {
      yield part
      yield* schemeParts(part)
    }
  }
  if (query === '') return
  for (const [name, value] of new URLSearchParams(query)) {
    if (!keyParameters.has(name.toLowerCase())) continue
    yield value
    // In a query, a plus sign is a blank.
    if (value.includes(' ')) yield value.replaceAll(' ', '+')
    yield* schemeParts(value)
  }
}

/** A header that comes several times is joined with commas, which a key may also contain. */
function* partsOf(header: string | readonly string[] | undefined): Generator<string> {
  const value = String(header ?? '').trim()
  yield value
  if (value.includes(',')) for (const part of value.split(',')) yield part.trim()
}

/** The value behind a scheme, or several, also without a name and quotes around it; of `Basic` its two parts too. */
function* schemeParts(part: string): Generator<string> {
  const space = part.search(/\s/)
  const value = part.slice(space + 1).trim()
  yield value
  yield value.slice(value.lastIndexOf(' ') + 1)
  yield value.replace(/^[\w-]+[=:]/, '').replaceAll(/["']/g, '')
  if (part.slice(0, Math.max(0, space)).toLowerCase() !== 'basic') return
  const [name = '', ...password] = Buffer.from(value, 'base64').toString('latin1').split(':')
  yield name
  yield password.join(':')
}
