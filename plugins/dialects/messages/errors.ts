import type { ErrorContext, ErrorReply } from '../../../src/contract/dialect-info.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import { statusOfError } from '../../../src/kit/upstream-error.ts'
import { objectAt } from '../../../src/lib/json/read.ts'

/** The type of each status (docs/wire/anthropic.md 1.7); other 4xx are invalid requests. */
const types: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The HTTP status for each error type, for errors inside a stream. */
const statusOfType = new Map<unknown, number>(
  Object.entries(types)
    .map(([status, type]): [string, number] => [type, Number(status)])
    .concat([
      ['invalid_request_error', 400],
      ['timeout_error', 504],
      ['overloaded_error', 529],
      ['api_error', 500],
    ]),
)

/** The HTTP status of an error. A server in front of an account may answer in OpenAI's words. */
export function statusOfMessagesError(error: Readonly<Record<string, unknown>>): number {
  return statusOfType.get(error.type) ?? statusOfError(error)
}

/** Returns the error type for an HTTP status. */
function typeOfStatus(status: number): string {
  return types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}

/**
 * Formats an error in the SDK's envelope, with an integer `code` and `details` (docs/wire/contract.md 5), or in
 * Anthropic's own form without these. The upstream's own `details` stay unchanged, because the SDK selects typed errors
 * by them.
 */
export function messagesError(error: GatewayError, { id, errors }: ErrorContext): ErrorReply {
  const status = error.code === 'no_account_available' ? 529 : error.status
  const upstreamError = objectAt(error.upstream?.json, 'error')
  const type = typeof upstreamError?.type === 'string' ? upstreamError.type : typeOfStatus(status)
  const shown = { ...upstreamError, type, message: error.message }
  const details = upstreamError?.details ?? [
    { code: error.code, type, param: error.param ?? null, ...error.details },
  ]
  return {
    status,
    body: {
      type: 'error',
      error: errors === 'native' ? shown : { ...shown, code: status, details },
      request_id: id,
    },
  }
}
