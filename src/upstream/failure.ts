import type { CredentialFailure } from '../contract/credential.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { OperationInfo } from '../contract/dialect-info.ts'
import { type ErrorCode, GatewayError, type UpstreamAnswer } from '../contract/errors.ts'
import type { Observation, Observer } from '../contract/observer.ts'
import type { Outcome } from '../contract/outcome.ts'
import type { Refusal, RefusalSubject } from '../contract/refusal.ts'
import { passedHeaders } from '../exchange/headers.ts'
import { isPluginError } from '../kit/plugin-errors.ts'
import { redact, redactAnswer } from '../kit/secrets/redact.ts'
import { faultOfSubject, pauseOf, refusalError, subjectOfRefusal } from '../kit/refusal-subject.ts'
import { clientStatus, errorIn, faultOfStatus, messageIn } from '../kit/upstream-error.ts'
import { isObject } from '../lib/json/object.ts'

/** The end of an attempt without a reply, with its outcome and whether failover may follow. */
export class AttemptFailure extends Error {
  readonly error: GatewayError
  /** Whether the next candidate may be tried. */
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
 * The failure of an attempt without a usable reply: the connection, a deadline or the bytes failed,
 * or the stream contained an error. `known` is the outcome that the dialect read from the reply, if
 * any. Errors of the gateway and its plugins do not count against the account.
 */
export function brokenAttempt(error: GatewayError, known?: Outcome): AttemptFailure {
  const isGatewayFault = gatewayErrors.has(error.code) || isPluginError(error)
  const fault = known?.fault ?? (isGatewayFault ? 'gateway' : 'account')
  const outcome = { ...known, status: 'failed', fault, error } as const
  return new AttemptFailure(error, isRetryable(outcome), outcome)
}

/** A limit that only this account has may leave room for the request at another one. */
function isRetryable({ fault, about, httpStatus }: Outcome): boolean {
  return fault === 'account' || (about === 'request' && httpStatus === 429)
}

/**
 * The failure of an attempt whose request has no credential, and was not sent. Whoever issues the credential is a part
 * of the account: if it is away, another account gets the call. A refusal counts as one of the account's own.
 */
export function withoutCredential(failure: CredentialFailure): AttemptFailure {
  if (failure.kind === 'away') {
    const message = 'The upstream account cannot be given its credential at the moment.'
    return brokenAttempt(new GatewayError('upstream_unreachable', message, { cause: failure }))
  }
  const error = refusalError('credential', new GatewayError('upstream_rejected', failure.message))
  const outcome: Outcome = {
    status: 'failed',
    fault: 'account',
    about: 'credential',
    httpStatus: 401,
    error: new GatewayError(error.code, error.message, { cause: failure }),
  }
  return new AttemptFailure(outcome.error!, true, outcome)
}

/** Codes of failures in the gateway itself. */
const gatewayErrors: ReadonlySet<string> = new Set<ErrorCode>([
  'internal_error',
  'plugin_failed',
  'draining',
  'exchange_cancelled',
  // Request bodies are read from the spool or from a storage while they are sent.
  'spool_full',
  'spool_unavailable',
  'storage_unavailable',
  'memory_full',
  // The gateway's own limits, which callers can make any account exceed.
  'upstream_reply_too_large',
])

/**
 * Whether a 2xx status means the whole reply to a call. 204 and 205 have no content, 206 has a part, 207
 * and above are other protocols' (RFC 9110, 15.3).
 */
export function isWhole(status: number): boolean {
  return status < 204
}

/** The error for a 2xx status that is no answer to a call. */
export function notAnAnswer(status: number): GatewayError {
  return new GatewayError('upstream_invalid_reply', `The upstream replied with status ${status}.`)
}

/** The failure of an attempt that was cancelled because the client left. */
export function abandonedAttempt(): AttemptFailure {
  const error = new GatewayError('client_closed_request', 'The client closed the request.')
  return new AttemptFailure(error, false, { status: 'cancelled', fault: 'client', error })
}

/**
 * The failure for a reply with a status other than 2xx. Timeouts, server errors and refusals that
 * concern the account or the way to it are the account's fault; other 4xx are the caller's.
 */
export function refusedAttempt(
  given: UpstreamAnswer,
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
  { yields = false }: Pick<OperationInfo, 'yields'> = {},
): AttemptFailure {
  const answer = readAs(given, account)
  const { status } = answer
  const named = subjectOfRefusal(refusalOf(answer), dialect.upstream)
  const isOfAccount = named === 'credential' || named === 'credit'
  // An endpoint that no dialect has may want another key, such as an administrator's: only a check shows whether the
  // account's own is refused.
  const about = yields && isOfAccount ? 'unclear' : named
  const fault = about ? faultOfSubject(about) : faultOfStatus(status)
  const asked = readRetryAfter(answer.headers)
  const retryAfterMs = asked ?? pauseOf(refusalOf(answer), dialect.upstream)
  const isUnsaid = asked === undefined && retryAfterMs !== undefined
  const message = messageOf(answer, dialect) ?? `The upstream replied with status ${status}.`
  const shown = new GatewayError('upstream_rejected', redact(message, account), {
    status: clientStatus(status),
    upstream: redactAnswer(answer, account),
    headers: {
      ...passedHeaders(answer.headers, account),
      ...(isUnsaid && { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
    },
    // SDKs retry a 409 twice by default, which cannot resolve the conflict.
    ...(status === 409 && { retry: false }),
  })
  const error = refusalError(about, shown)
  const outcome: Outcome = {
    status: 'failed',
    fault,
    ...(about && { about }),
    httpStatus: status,
    error,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
  return new AttemptFailure(error, isRetryable(outcome), outcome)
}

/** An answer with the status that its own one, or the code of its error, stands for at its provider. */
function readAs(answer: UpstreamAnswer, { errorStatuses }: Candidate['account']): UpstreamAnswer {
  if (!errorStatuses) return answer
  const { code } = refusalOf(answer).error
  const names = [code, answer.status].map(String)
  const name = names.find((one) => Object.hasOwn(errorStatuses, one)) ?? ''
  return { ...answer, status: errorStatuses[name] ?? answer.status }
}

/** A failure whose subject has become clear since, with the error for the caller that follows from it. */
export function withSubject(failure: AttemptFailure, about: RefusalSubject): AttemptFailure {
  const { cause } = failure.error
  const shown = GatewayError.isInstance(cause) ? cause : failure.error
  const error = refusalError(about, shown)
  const outcome: Outcome = { ...failure.outcome, about, fault: faultOfSubject(about), error }
  return new AttemptFailure(error, isRetryable(outcome), outcome)
}

/** What an error reply is about; `undefined` if it refuses neither account nor caller. */
export function aboutOf(
  answer: UpstreamAnswer,
  { account, dialect }: Pick<Candidate, 'account' | 'dialect'>,
): RefusalSubject | undefined {
  return subjectOfRefusal(refusalOf(readAs(answer, account)), dialect.upstream)
}

function refusalOf({ status, json, headers }: UpstreamAnswer): Refusal {
  return { status, error: errorIn(json) ?? (isObject(json) ? json : {}), headers }
}

function messageOf(answer: UpstreamAnswer, { upstream }: Candidate['dialect']): string | undefined {
  return upstream?.messageOf?.(refusalOf(answer)) || messageIn(answer.json)
}

/** The delay in milliseconds, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
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

/** Converts a failure of the network to a `GatewayError` whose message names no host. */
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

/** The failure of the gateway itself to process an upstream's reply. */
export function defect(cause: unknown): GatewayError {
  const message = "The gateway failed to process the upstream's reply."
  return new GatewayError('internal_error', message, { cause })
}

/** A deadline that an upstream did not keep: for its reply, for the next bytes, or for the end. */
export function timeout(phase: 'reply' | 'continue' | 'finish'): GatewayError {
  return new GatewayError('upstream_timeout', `The upstream did not ${phase} in time.`)
}

/** A stream that ended too early. `where`: such as "before its end". */
export function streamBroken(where: string): GatewayError {
  return new GatewayError('upstream_stream_broken', `The upstream's stream was cut off ${where}.`)
}

/** The end of a failed stream in the client's dialect. An observer that throws has none. */
export function failureTail(observer: Observer, error: GatewayError): ReturnType<Observer['fail']> {
  try {
    return observer.fail(error)
  } catch {
    // A reset signals the failure as well.
    return { bytes: Buffer.alloc(0), ending: 'reset' }
  }
}

/**
 * Whether frames neither complete a stream nor report an error. If the bytes behind them are broken and the
 * client has nothing yet, another account can still serve the call.
 */
export function leavesOpen(observed: Observation | undefined): boolean {
  return observed?.phase !== 'terminal' && observed?.phase !== 'failed'
}
