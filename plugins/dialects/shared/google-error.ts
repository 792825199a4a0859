import type { ErrorReply } from '../../../src/contract/dialect-info.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import { objectAt } from '../../../src/lib/json/read.ts'

/** Names of google.rpc.Code by HTTP status (docs/wire/gemini.md 1.6). */
const statusNames: Record<number, string> = {
  401: 'UNAUTHENTICATED',
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

/**
 * The contract's envelope is Google's with `status` beside it. `error` stays the only top-level key:
 * the Python SDK recognises an error in a stream by it.
 */
export function googleErrorFormat(error: GatewayError): ErrorReply {
  const { status, message } = error
  const json: unknown = error.upstream?.json
  const told = objectAt(Array.isArray(json) ? json[0] : json, 'error')
  const name = typeof told?.status === 'string' ? told.status : nameOf(status)
  const details = Array.isArray(told?.details) ? told.details : [errorInfo(error)]
  return { status, body: { error: { ...told, code: status, message, status: name, details } } }
}

function nameOf(status: number): string {
  return statusNames[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT')
}

function errorInfo({ code, param }: GatewayError): object {
  return {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code.toUpperCase(),
    domain: 'dragoman',
    ...(param !== undefined && { metadata: { field: param } }),
  }
}
