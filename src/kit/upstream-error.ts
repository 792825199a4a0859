import { GatewayError } from '../contract/errors.ts'
import type { Outcome } from '../contract/outcome.ts'

/**
 * The error of a body that some upstreams send with a 2xx status: an object, or no more than its
 * text. Google wraps some errors in a list. Whether there is a reply beside it, the dialect knows.
 */
export function errorIn(json: unknown): Record<string, unknown> | undefined {
  const body: unknown = Array.isArray(json) ? json[0] : json
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error === 'string' && error !== '') return { message: error }
  const isObject = typeof error === 'object' && error !== null && !Array.isArray(error)
  return isObject ? { ...error } : undefined
}

/**
 * The outcome of a body that is an error and no reply. An outcome that failed with an `error` never
 * passes as a success; one that failed without is a reply that tells of its own failure.
 */
export function failedOutcome(status: number, error: Record<string, unknown>): Outcome {
  const { message } = error
  return {
    status: 'failed',
    fault: isAccountsFault(status) ? 'account' : 'caller',
    httpStatus: status,
    error: new GatewayError(
      'upstream_rejected',
      typeof message === 'string' ? message : 'The upstream reported an error.',
      { status },
    ),
  }
}

/** Its credential, credit, limits and defects are the account's; all else is the caller's making. */
function isAccountsFault(status: number): boolean {
  return [401, 402, 403, 408, 429].includes(status) || status >= 500
}

/** The HTTP status that an error names as its `code`, where it is one. */
export function statusIn({ code }: Record<string, unknown>): number | undefined {
  const status = typeof code === 'string' ? Number(code) : code
  const isStatus = typeof status === 'number' && Number.isInteger(status)
  return isStatus && status >= 400 && status < 600 ? status : undefined
}

/** The status that an error in OpenAI's words would have had; 502 where they say nothing. */
export function statusOfWords(error: Record<string, unknown>): number {
  const { code, type } = error
  return statusIn(error) ?? openAiStatuses.get(code) ?? openAiStatuses.get(type) ?? 502
}

const openAiStatuses = new Map<unknown, number>([
  ['invalid_request_error', 400],
  ['context_length_exceeded', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['server_error', 500],
])
