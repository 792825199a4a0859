import { pathOnAccount } from '../kit/account-path.ts'
import type { Outbound } from '../contract/attempt.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { Routed } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import { encodeForm } from '../body/form/encode.ts'

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

/** Builds the request to the account of a candidate: adds its address, credential and headers. */
export function createOutbound(
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  client: ClientRequest,
  parts: OutboundParts,
): Outbound {
  const { upstream } = dialect
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

/** The header by which clients control the sandbox (docs/sandbox.md). */
const sandboxHeader = 'x-sandbox'

/**
 * Builds a request that the gateway itself makes to an account, such as a poll or a download. It
 * carries no headers of the client, which belong to another request, except that native candidates
 * get the client's sandbox header, as native requests do.
 */
export function createAccountRequest({ candidate, request }: Routed, call: AccountCall): Outbound {
  const body = bodyOf(call)
  const sandboxValue = candidate.native ? request.headers[sandboxHeader] : undefined
  return createOutbound(candidate, withoutHeaders(request), {
    method: call.method,
    path: call.path,
    query: call.query,
    accept: 'application/json',
    contentType: body?.type,
    headers: typeof sandboxValue === 'string' ? { [sandboxHeader]: sandboxValue } : undefined,
    body: body?.bytes ?? null,
  })
}

function bodyOf({ json, form }: AccountCall): { bytes: Buffer; type: string } | undefined {
  if (form) return encodeForm(form)
  return json && { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}
