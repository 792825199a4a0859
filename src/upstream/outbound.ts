import { pathAt, rootOf } from '../kit/account-path.ts'
import type { Outbound } from '../contract/outbound.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { ClientRequest } from '../contract/request.ts'
import type { Routed } from '../contract/exchange.ts'
import type { AccountCall } from '../media/account-call.ts'
import { encodeForm } from '../body/form/encode.ts'
import type { RecordLoss } from '../contract/codec.ts'
import type { AdaptedTarget, Adaptation } from '../contract/adaptation.ts'
import { bodyChangesOf, changeBody, notAtProvider } from './adapt.ts'

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
  /** Whether the reply is to be a stream. */
  readonly stream?: boolean
  /** Learns what the request loses at this provider. Absent: a loss is of no interest. */
  readonly drop?: RecordLoss | undefined
}

/** A request as a provider takes it. */
interface AdaptedParts
  extends OutboundParts, Pick<AdaptedTarget, 'atOwnRoot' | 'dropHeaders' | 'encodesSlashes'> {}

/** The account of a request, and its own name of the model: none for a request about no model. */
type Recipient = Pick<Candidate, 'account' | 'dialect'> & Partial<Pick<Candidate, 'upstreamModel'>>

/**
 * Builds the request to the account of a candidate: adds its address, credential and headers. Throws `Declined` if the
 * provider has no such request.
 */
export function createOutbound(
  candidate: Recipient,
  client: ClientRequest,
  given: OutboundParts,
): Outbound {
  const { account, dialect } = candidate
  const { upstream } = dialect
  const adaptation = account.adaptations?.[dialect.id]
  const parts: AdaptedParts = adaptation ? adapted(candidate, adaptation, given) : given
  const root = parts.atOwnRoot ? account : rootOf(account, dialect)
  // The path of an adaptation stands behind the root as it is.
  const path = adaptation?.target
    ? pathAt({ ...root, base: 'bare' }, parts.encodesSlashes ? withSlashes : upstream, parts.path)
    : pathAt(root, upstream, parts.path)
  const headers = parts.forwarded ?? {}
  headers['accept'] = parts.accept
  // A compressed stream could not be observed without undoing it first.
  headers['accept-encoding'] = 'identity'
  if (parts.contentType !== undefined) headers['content-type'] = parts.contentType
  Object.assign(headers, upstream.headers(account, client), parts.headers)
  for (const name of parts.dropHeaders ?? adaptation?.dropHeaders ?? none) delete headers[name]
  if (account.headers) Object.assign(headers, account.headers)
  return {
    method: parts.method,
    origin: root.origin,
    path: parts.query ? `${path}?${parts.query}` : path,
    headers,
    body: parts.body,
  }
}

const none: readonly string[] = []

const withSlashes = { base: 'bare', encodesSlashes: true } as const

/** A request as the provider of its account takes it. */
function adapted(
  { account, upstreamModel = '' }: Recipient,
  adaptation: Adaptation,
  parts: OutboundParts,
): AdaptedParts {
  const { method, path, query, body, stream = false, drop = () => {} } = parts
  const headers = { ...parts.forwarded, ...parts.headers, ...account.headers }
  const request = { method, path, query, stream, model: upstreamModel, headers }
  const target = adaptation.target?.(request, account)
  if (adaptation.target && !target) throw notAtProvider(account)
  const changes = Buffer.isBuffer(body) ? bodyChangesOf(adaptation, request, account) : undefined
  return {
    ...parts,
    ...target,
    ...(target && { method: target.method ?? method, query: target.query }),
    ...(target?.json && {
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(target.json)),
    }),
    ...(changes && { body: changeBody(body as Buffer, changes, drop) }),
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
