import type { ErrorReply } from '../../../src/contract/dialect-info.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import { statusIn, statusOfError } from '../../../src/kit/upstream-error.ts'
import { objectAt } from '../../../src/lib/json/read.ts'

/** Names of `google.rpc.Code` by HTTP status (docs/wire/gemini.md 1.6). */
const statusNames: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  504: 'DEADLINE_EXCEEDED',
}

/** The HTTP statuses of errors that carry only the name of their status. */
const statusesByName = new Map<unknown, number>(
  Object.entries(statusNames).map(([status, name]) => [name, Number(status)] as const),
)
  .set('INVALID_ARGUMENT', 400)
  .set('FAILED_PRECONDITION', 400)
  .set('UNAVAILABLE', 503)
  .set('DEADLINE_EXCEEDED', 504)

/**
 * The HTTP status of an error of Google's APIs: its `code`, or the status that its name stands for. A server in
 * front of them may answer in OpenAI's words.
 */
export function statusOfGoogleError(error: Readonly<Record<string, unknown>>): number {
  return statusIn(error) ?? statusesByName.get(error.status) ?? statusOfError(error)
}

/**
 * Formats an error as a `google.rpc.Status` envelope. It reuses the members of the upstream's own
 * envelope where there is one. `error` is the only top-level key, because the Python SDK recognises
 * an error in a stream by it.
 */
export function googleErrorFormat(error: GatewayError): ErrorReply {
  const { status, message } = error
  const json: unknown = error.upstream?.json
  const upstreamError = objectAt(Array.isArray(json) ? json[0] : json, 'error')
  const name =
    typeof upstreamError?.status === 'string' ? upstreamError.status : statusNameOf(status)
  const details = Array.isArray(upstreamError?.details) ? upstreamError.details : detailsOf(error)
  return {
    status,
    body: { error: { ...upstreamError, code: status, message, status: name, details } },
  }
}

function statusNameOf(status: number): string {
  return statusNames[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT')
}

/** The SDKs show their callers no headers, so that the time of `retry-after` has to be in the body as well. */
function detailsOf(error: GatewayError): object[] {
  const { 'retry-after': seconds = '' } = error.headers
  if (!/^\d+$/.test(seconds)) return [errorInfo(error)]
  const type = 'type.googleapis.com/google.rpc.RetryInfo'
  return [errorInfo(error), { '@type': type, retryDelay: `${seconds}s` }]
}

/** The values of its metadata are texts. */
function errorInfo({ code, param, details }: GatewayError): object {
  const metadata = {
    ...(param !== undefined && { field: param }),
    ...textsOf(details),
  }
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code.toUpperCase(),
    domain: 'dragoman',
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function textsOf(details: GatewayError['details'] = {}): Record<string, string> {
  const present = Object.entries(details).filter(([, value]) => value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, String(value)]))
}
