import type { Upstream } from '../contract/dialect-info.ts'
import { GatewayError } from '../contract/errors.ts'
import type { Refusal, RefusalSubject } from '../contract/refusal.ts'
import { startOfMessage } from './message-start.ts'

/** The subjects of statuses, unless the dialect knows better. A 401 is always the credential's (RFC 9110, 15.5.2). */
const subjectsByStatus: Readonly<Record<number, RefusalSubject>> = {
  401: 'credential',
  402: 'credit',
  403: 'unclear',
  429: 'model-limit',
}

/** Returns the subject of a refusal; `undefined` for an error that refuses neither account nor caller. */
export function subjectOfRefusal(
  refusal: Refusal,
  upstream: Pick<Upstream, 'subjectOf'> | undefined,
): RefusalSubject | undefined {
  return upstream?.subjectOf?.(withStart(refusal)) ?? subjectsByStatus[refusal.status]
}

/** The pause in milliseconds that the object of an error asks for. */
export function pauseOf(
  { status, error }: Pick<Refusal, 'status' | 'error'>,
  upstream: Pick<Upstream, 'retryAfterOf'> | undefined,
): number | undefined {
  return status === 429 || status === 503 ? upstream?.retryAfterOf?.(error) : undefined
}

/** A refusal with the beginning of its message, which is all that a dialect may search. */
function withStart(refusal: Refusal): Refusal {
  const { message } = refusal.error
  const start = typeof message === 'string' ? startOfMessage(message) : message
  return start === message ? refusal : { ...refusal, error: { ...refusal.error, message: start } }
}

/** Whose fault a refusal is. */
export function faultOfSubject(about: RefusalSubject): 'account' | 'caller' {
  return about === 'request' ? 'caller' : 'account'
}

/** Subjects that are the operator's business: callers get no message and no status of the provider. */
const hidden: ReadonlySet<RefusalSubject> = new Set(['model', 'credential', 'credit', 'unclear'])

/**
 * Returns the error for the caller: `shown`, the provider's own, unless the refusal concerns the
 * account. A 401 is never shown, because SDKs would take it for a refusal of the gateway's own key.
 */
export function refusalError(about: RefusalSubject | undefined, shown: GatewayError): GatewayError {
  if (about === 'endpoint') {
    const message = 'The server of the account has no such endpoint.'
    return new GatewayError('upstream_rejected', message, { status: 404, cause: shown })
  }
  if (about === undefined || (!hidden.has(about) && shown.status !== 401)) return shown
  return new GatewayError(
    'upstream_account_refused',
    'The upstream refused the account that serves this model.',
    { cause: shown },
  )
}
