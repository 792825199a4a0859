import { pathOnAccount } from '../accounts/base-url.ts'
import type { Outbound } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { ClientRequest } from '../contract/request.ts'

/** A request to an account, before its address, credential and version headers are added. */
interface OutboundParts {
  readonly method: string
  /** The full path, including the version. */
  readonly path: string
  readonly query?: string | undefined
  readonly accept: string
  readonly contentType?: string | undefined
  /** Headers of the client to pass on; the account's own override them. */
  readonly forwarded?: Record<string, string>
  /** Headers that override the account's own. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: Outbound['body']
}

/**
 * Builds the request to the account of a candidate: adds its address, credential and headers. Throws
 * if its dialect has no upstream side, which is a defect of the gateway.
 */
export function createOutbound(
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  client: ClientRequest,
  parts: OutboundParts,
): Outbound {
  const { upstream } = dialect
  if (!upstream) throw new Error(`Dialect "${dialect.id}" has no upstream side.`)
  const path = pathOnAccount(account, upstream, parts.path)
  const headers = parts.forwarded ?? {}
  headers['accept'] = parts.accept
  // A compressed stream could not be observed without undoing it first.
  headers['accept-encoding'] = 'identity'
  if (parts.contentType !== undefined) headers['content-type'] = parts.contentType
  Object.assign(headers, upstream.headers(account, client), parts.headers)
  if (account.headers) Object.assign(headers, account.headers)
  return {
    method: parts.method,
    origin: account.origin,
    path: parts.query ? `${path}?${parts.query}` : path,
    headers,
    body: parts.body,
  }
}

/** The client's request without headers and query, for a request that they do not apply to. */
export function withoutHeaders(client: ClientRequest): ClientRequest {
  return { ...client, headers: {}, query: '' }
}
