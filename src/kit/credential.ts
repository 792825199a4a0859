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

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value?.trim()
}
