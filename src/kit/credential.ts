import type { ClientRequest } from '../contract/request.ts'

/** Reads the API key from one place of a request. */
export type CredentialSource = (request: ClientRequest) => string | undefined

/** `Authorization: Bearer <key>`; other schemes count as absent. */
export const bearer: CredentialSource = ({ headers }) =>
  /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim() || undefined

/** `x-api-key: <key>`. */
export const xApiKey: CredentialSource = ({ headers }) => single(headers['x-api-key'])

/** `x-goog-api-key: <key>`. */
export const xGoogApiKey: CredentialSource = ({ headers }) => single(headers['x-goog-api-key'])

/** `?key=<key>`, which only Gemini's clients use. */
export const queryKey: CredentialSource = ({ query }) =>
  query.includes('key=') ? (new URLSearchParams(query).get('key') ?? undefined) : undefined

/** Returns the first credential that a source finds, even if it is invalid and a later one is not. */
export function firstCredential(
  request: ClientRequest,
  sources: readonly CredentialSource[],
): string | undefined {
  for (const source of sources) {
    const credential = source(request)
    if (credential) return credential
  }
  return undefined
}

/**
 * All that a request has in the usual places of a credential, whichever its dialect reads: a bearer, a name or a
 * password in `authorization`, the headers of keys, and `?key=<key>`.
 */
export function presentedCredentials({
  headers,
  query,
}: Pick<ClientRequest, 'headers' | 'query'>): readonly string[] {
  const found = authorizationParts(headers.authorization)
  for (const name of keyHeaders) {
    const value = single(headers[name])
    if (value) found.push(value)
  }
  if (query.includes('key=')) found.push(...new URLSearchParams(query).getAll('key'))
  return found
}

const keyHeaders = ['x-api-key', 'api-key', 'x-goog-api-key']

/** The value of `authorization` without its scheme. Of a name and a password also these. */
function authorizationParts(authorization = ''): string[] {
  const [, scheme = '', value = ''] = /^\s*(?:(\S+)\s+)?(\S.*)$/.exec(authorization) ?? []
  if (value === '') return []
  if (scheme.toLowerCase() !== 'basic') return [value.trim()]
  const [name = '', ...password] = Buffer.from(value, 'base64').toString().split(':')
  return [value.trim(), password.join(':') || name]
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value?.trim()
}
