import { credentialFailureIn } from '../contract/credential.ts'
import type { GatewayError } from '../contract/errors.ts'
import type { Attempt, Understood } from '../contract/exchange.ts'
import type { Billed, ForwardOperation } from '../contract/operation.ts'
import type { Outcome } from '../contract/outcome.ts'
import { wasUnread } from '../kit/attempts.ts'

/** Candidates that decline, after which other work on the event loop has a turn. */
export const declinedPerTurn = 8

/** No further attempt follows for a client that has left, unless the call finishes without it. */
export function isAbandoned({ client, call }: Understood): boolean {
  return client.gone && !call.finishWithoutClient
}

/** Whether an account may bill a settled attempt, so that no further attempt may follow. `isStale`: see `wasStaleConnection`. */
export function wasPerhapsBilled(
  attempt: Attempt,
  { forward }: ForwardOperation,
  isStale: boolean,
): boolean {
  if (!('billed' in forward) || credentialFailureIn(attempt.outcome?.error)) return false
  const wasRead = attempt.isSent && !(isStale && wasUnread(attempt))
  return mayHaveBeenBilled(forward.billed, attempt.outcome ?? {}, wasRead)
}

/** `wasRead`: the account may have read a part of the request. */
function mayHaveBeenBilled(
  billed: Billed,
  { httpStatus }: Pick<Outcome, 'httpStatus'>,
  wasRead: boolean,
): boolean {
  if (billed === 'job') return !hasNotBegun(httpStatus)
  return wasRead && !hasRefused(httpStatus)
}

/** Statuses with which an account rejects a job before it begins. */
function hasNotBegun(httpStatus: number | undefined): boolean {
  return httpStatus === 429 || httpStatus === 503
}

/**
 * Whether the status says that the account produced nothing. 408 and statuses above 503 (504, 524) come
 * from proxies whose upstream may still work on the request. A failure without a status is a reset, a
 * timeout or a malformed reply.
 */
function hasRefused(httpStatus: number | undefined): boolean {
  return httpStatus !== undefined && httpStatus <= 503 && httpStatus !== 408
}

/** Whether no connection to the account stood, so that it cannot have received any of the request. */
export function wasUnreachable({ isSent }: Attempt, { code }: GatewayError): boolean {
  return !isSent && (code === 'upstream_unreachable' || code === 'upstream_timeout')
}

/** Whether the upstream closed an idle connection while the gateway began to use it. */
export function wasStaleConnection(attempt: Attempt, { code, cause }: GatewayError): boolean {
  const reason = (cause as { code?: unknown } | undefined)?.code
  return (
    code === 'upstream_unreachable' &&
    attempt.firstByteAt === undefined &&
    (reason === 'UND_ERR_SOCKET' || reason === 'ECONNRESET' || reason === 'EPIPE')
  )
}
