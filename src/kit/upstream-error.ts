import { GatewayError } from '../contract/errors.ts'
import type { Outcome } from '../contract/outcome.ts'
import { stringAt } from '../lib/json/read.ts'

/**
 * Returns the error object of a body, which some upstreams send with a 2xx status: `error` as an
 * object or a string, in Google's API also inside a list. The dialect decides whether the body is a
 * reply all the same.
 */
export function errorIn(json: unknown): Record<string, unknown> | undefined {
  const body: unknown = Array.isArray(json) ? json[0] : json
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error === 'string' && error !== '') return { message: error }
  const isObject = typeof error === 'object' && error !== null && !Array.isArray(error)
  return isObject ? { ...error } : undefined
}

/**
 * The message of an account's error: in `error.message` or `error`, or in `message` or `Message` of the error
 * itself, which may be a text. Google wraps some errors in a list.
 */
export function messageIn(json: unknown): string | undefined {
  const body: unknown = Array.isArray(json) ? json[0] : json
  const error = errorIn(body) ?? body
  if (typeof error === 'string') return error
  return stringAt(error, 'message') ?? stringAt(error, 'Message')
}

/**
 * The outcome of a body that is an error instead of a reply. The client gets an error for a failed
 * outcome with `error`, and the reply itself for a failed outcome without.
 */
export function failedOutcome(status: number, error: Record<string, unknown>): Outcome {
  const { message } = error
  return {
    status: 'failed',
    fault: faultOfStatus(status),
    httpStatus: status,
    error: new GatewayError(
      'upstream_rejected',
      typeof message === 'string' ? message : 'The upstream reported an error.',
      { status },
    ),
  }
}

/** Credential, credit, rate limit and server errors are the account's fault; others the caller's. */
export function faultOfStatus(status: number): 'account' | 'caller' {
  return [401, 402, 403, 408, 429].includes(status) || status >= 500 ? 'account' : 'caller'
}

/** The HTTP status that an error has as its `code`, if any. */
export function statusIn({ code }: Record<string, unknown>): number | undefined {
  const status = typeof code === 'string' ? Number(code) : code
  const isStatus = typeof status === 'number' && Number.isInteger(status)
  return isStatus && status >= 400 && status < 600 ? status : undefined
}

/** The HTTP status that an error in OpenAI's format stands for; 502 if its code and type are unknown. */
export function statusOfError(error: Readonly<Record<string, unknown>>): number {
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
