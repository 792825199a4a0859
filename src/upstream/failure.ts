import type { Account } from '../contract/account.ts'
import { type ErrorCode, GatewayError, type UpstreamAnswer } from '../contract/errors.ts'
import type { Outcome } from '../contract/outcome.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { isPluginError } from '../kit/plugin-errors.ts'
import { redact, redactAnswer } from '../kit/redact.ts'

/** An attempt that ended without a reply: what it means for the account, and for the next one. */
export class AttemptFailure extends Error {
  readonly error: GatewayError
  /** Whether another account may be asked. */
  readonly retryable: boolean
  readonly outcome: Outcome

  constructor(error: GatewayError, retryable: boolean, outcome: Outcome) {
    super(error.message, { cause: error })
    this.error = error
    this.retryable = retryable
    this.outcome = outcome
  }
}

/**
 * No usable answer arrived: the connection, a deadline or the bytes failed, or the upstream told of
 * an error inside its stream. A defect of the gateway itself is not held against the account.
 */
export function brokenAttempt(error: GatewayError, known?: Outcome): AttemptFailure {
  const isOurs = ownErrors.has(error.code) || isPluginError(error)
  const fault = known?.fault ?? (isOurs ? 'gateway' : 'account')
  const outcome = { ...known, status: 'failed', fault, error } as const
  return new AttemptFailure(error, fault === 'account', outcome)
}

/** What goes wrong in the gateway itself. */
const ownErrors: ReadonlySet<string> = new Set<ErrorCode>([
  'internal_error',
  'plugin_failed',
  'draining',
  // What is sent comes from the spool, or from a storage through memory.
  'spool_full',
  'spool_unavailable',
  'storage_unavailable',
  'memory_full',
])

/** Nobody waits for the answer any more. */
export function abandonedAttempt(): AttemptFailure {
  const error = new GatewayError('client_closed_request', 'The client closed the request.')
  return new AttemptFailure(error, false, { status: 'cancelled', fault: 'client', error })
}

/**
 * What an answer other than 2xx means. Timeouts, limits, server errors and everything about the
 * account's own credential or credit are the account's; other 4xx are the caller's making.
 */
export function refusedAttempt(answer: UpstreamAnswer, account: Account): AttemptFailure {
  const { status } = answer
  const accountRefused = status === 401 || status === 402 || status === 403
  const ours = accountRefused || status === 408 || status === 429 || status >= 500 || status < 400
  const retryAfterMs = readRetryAfter(answer.headers)
  const error = accountRefused
    ? new GatewayError(
        'upstream_account_refused',
        'The upstream refused the account that serves this model.',
      )
    : new GatewayError('upstream_rejected', messageOf(answer, account), {
        status: status < 400 || status > 599 ? 502 : status,
        upstream: redactAnswer(answer, account),
        headers: passedHeaders(answer.headers),
        // SDKs try a conflict twice again by themselves, which cannot resolve it.
        ...(status === 409 && { retry: false }),
      })
  return new AttemptFailure(error, ours, {
    status: 'failed',
    fault: ours ? 'account' : 'caller',
    httpStatus: status,
    error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function messageOf({ json, status }: UpstreamAnswer, account: Account): string {
  const message = findMessage(json)
  return message === undefined ? `The upstream answered ${status}.` : redact(message, account)
}

/** Where providers put an error's text; Google wraps some errors in a list. */
function findMessage(json: unknown): string | undefined {
  const body = Array.isArray(json) ? json[0] : json
  const error = (body as { error?: unknown } | null)?.error ?? body
  if (typeof error === 'string') return error
  const message = (error as { message?: unknown } | null)?.message
  return typeof message === 'string' ? message : undefined
}

/** Milliseconds, from `retry-after-ms` or from `retry-after` in seconds or as a date. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && ms >= 0) return ms
  const after = headers['retry-after']
  if (!after) return undefined
  const seconds = Number(after)
  if (seconds >= 0) return seconds * 1_000
  const date = Date.parse(after)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** A failure of the network, in words that name no host. */
export function networkError(error: Error & { code?: string }): GatewayError {
  if (GatewayError.isInstance(error)) return error
  if (error.code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new GatewayError('upstream_timeout', 'Connecting to the upstream took too long.', {
      cause: error,
    })
  }
  return new GatewayError('upstream_unreachable', 'The connection to the upstream failed.', {
    cause: error,
  })
}
