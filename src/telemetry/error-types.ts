import { type ErrorCode, GatewayError, errorTable } from '../contract/errors.ts'
import type { Attempt, Ended } from '../contract/exchange.ts'
import type { Outcome, Summary } from '../contract/outcome.ts'
import { errorIn } from '../kit/upstream-error.ts'
import { knownStatuses } from './http-labels.ts'

/** The words of `error.type` besides statuses: a closed list, which docs/metrics.md has too. */
export const errorWords = [
  'timeout.connect',
  'timeout.first_byte',
  'timeout.idle',
  'connection_refused',
  'connection_reset',
  'dns',
  'tls',
  'invalid_reply',
  'no_answer',
  'circuit_open',
  'no_account',
  'previous_response_not_found',
  'previous_response_account_unavailable',
  'previous_response_lookup_unavailable',
  'invalid_value',
  'context_length_exceeded',
  'insufficient_quota',
  'billing_hard_limit_reached',
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
  'drained',
  '_OTHER',
] as const

/** The type of an error: one of the words, or a status as text. */
export type ErrorType = (typeof errorWords)[number] | `${number}`

/** Codes of providers that say more than the status of their reply. */
const providerCodes: ReadonlySet<unknown> = new Set<ErrorType>([
  'context_length_exceeded',
  'insufficient_quota',
  'billing_hard_limit_reached',
  'content_filter',
  'content_policy_violation',
  'moderation_blocked',
])

/** A status as `error.type`: one that no standard or large provider has is `_OTHER`. */
export function statusType(status: number): ErrorType {
  return status >= 400 && knownStatuses.has(status) ? `${status}` : '_OTHER'
}

/** Why an attempt failed; `undefined` for one that did not fail, or whose client left. */
export function attemptErrorType(
  outcome: Outcome,
  attempt: Pick<Attempt, 'firstByteAt'> | undefined,
): ErrorType | undefined {
  if (outcome.status !== 'failed') return undefined
  const { error, httpStatus } = outcome
  const code = error && providerCode(error)
  if (code) return code
  if (httpStatus !== undefined && httpStatus >= 400) return statusType(httpStatus)
  return error ? typeOf(error, attempt) : '_OTHER'
}

/**
 * Why an exchange failed; `undefined` for one that did not fail, or whose client left: that is no error of
 * the gateway (`streamEndOf` says it).
 */
export function exchangeErrorType(
  { progress }: Pick<Ended, 'progress'>,
  { status, end }: Summary,
): ErrorType | undefined {
  if (end === 'client_gone' || (end === 'complete' && status < 400)) return undefined
  const { error, outcome, attempt, routing } = progress
  const isAccounts = outcome?.status === 'failed' && (!error || fromUpstream.has(error.code))
  if (isAccounts) return attemptErrorType(outcome, attempt)
  if (!error) return status >= 400 ? statusType(status) : '_OTHER'
  if (error.code === 'no_account_available' && routing)
    return routing.excluded.some(({ kind }) => kind === 'circuit') ? 'circuit_open' : 'no_account'
  return typeOf(error, attempt)
}

/** How a stream ended, as `dragoman.stream.end` has it. */
export type StreamEnd = 'completed' | 'client_cancelled' | 'drained' | 'error'

/** How the reply of an exchange ended. */
export function streamEndOf({ progress }: Pick<Ended, 'progress'>, { end }: Summary): StreamEnd {
  if (end === 'client_gone') return 'client_cancelled'
  if (end === 'complete') return 'completed'
  const code = progress.error?.code ?? progress.outcome?.error?.code
  return code === 'draining' ? 'drained' : 'error'
}

const fromUpstream: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'upstream_rejected',
  'upstream_unreachable',
  'upstream_invalid_reply',
  'upstream_reply_too_large',
  'upstream_account_refused',
  'upstream_stream_broken',
  'upstream_timeout',
  'context_length_exceeded',
])

const words: Partial<Record<ErrorCode, ErrorType>> = {
  upstream_invalid_reply: 'invalid_reply',
  upstream_reply_too_large: 'invalid_reply',
  upstream_stream_broken: 'connection_reset',
  no_account_available: 'no_account',
  previous_response_not_found: 'previous_response_not_found',
  previous_response_account_unavailable: 'previous_response_account_unavailable',
  previous_response_lookup_unavailable: 'previous_response_lookup_unavailable',
  context_length_exceeded: 'context_length_exceeded',
  draining: 'drained',
}

function typeOf(
  { code, status, cause }: GatewayError,
  attempt: Pick<Attempt, 'firstByteAt'> | undefined,
): ErrorType {
  if (code === 'upstream_timeout') return timeoutType(cause, attempt)
  if (code === 'upstream_unreachable') return networkType(cause)
  return words[code] ?? (isInvalid(code, status) ? 'invalid_value' : statusType(status))
}

function isInvalid(code: ErrorCode, status: number): boolean {
  return errorTable[code].status === 400 && status === 400
}

function timeoutType(cause: unknown, attempt: Pick<Attempt, 'firstByteAt'> | undefined): ErrorType {
  if (codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout.connect'
  return attempt?.firstByteAt === undefined ? 'timeout.first_byte' : 'timeout.idle'
}

/** Codes of Node and undici for connections that fail. */
const networkTypes: readonly (readonly [RegExp, ErrorType])[] = [
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'dns'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN)$/, 'connection_refused'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_CLOSED)$/, 'connection_reset'],
  [/^ETIMEDOUT$/, 'timeout.connect'],
  [/^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|HOSTNAME_)/, 'tls'],
]

function networkType(cause: unknown): ErrorType {
  const code = codeOf(cause) ?? ''
  return networkTypes.find(([pattern]) => pattern.test(code))?.[1] ?? '_OTHER'
}

/** The code of an error or of its cause. Several attempts to connect have the code of the last one. */
function codeOf(cause: unknown, depth = 0): string | undefined {
  const { code, errors, cause: inner } = Object(cause) as Record<string, unknown>
  if (typeof code === 'string') return code
  if (depth === deepestCause) return undefined
  const next: unknown = Array.isArray(errors) ? errors.at(-1) : inner
  return next === undefined ? undefined : codeOf(next, depth + 1)
}

/** Errors of plugins may have causes in a circle. */
const deepestCause = 5

/** The code in the reply of a provider, if the list has it. */
function providerCode({ upstream, cause }: GatewayError): ErrorType | undefined {
  const answer = upstream ?? (GatewayError.isInstance(cause) ? cause.upstream : undefined)
  const { code, type } = errorIn(answer?.json) ?? {}
  return [code, type].find((one): one is ErrorType => providerCodes.has(one))
}
