import type { ClientRequest } from '../contract/request.ts'

/** A place where a client may put its key. */
export type CredentialSource = (request: ClientRequest) => string | undefined

/** `Authorization: Bearer <key>`; other schemes are not ours. */
export const bearer: CredentialSource = ({ headers }) =>
  /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim() || undefined

export const xApiKey: CredentialSource = ({ headers }) => single(headers['x-api-key'])

export const xGoogApiKey: CredentialSource = ({ headers }) => single(headers['x-goog-api-key'])

/** `?key=`, which only Gemini's clients use. */
export const queryKey: CredentialSource = ({ query }) =>
  query.includes('key=') ? (new URLSearchParams(query).get('key') ?? undefined) : undefined

/** The first source that holds something decides; a later one is never tried instead. */
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
