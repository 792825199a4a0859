import type { GatewayError } from '../contract/errors.ts'
import type { Attempt } from '../contract/exchange.ts'
import type { Billed } from '../contract/operation.ts'
import type { AttemptFailure } from '../upstream/failure.ts'

/**
 * Whether an account that failed may have made, or be making, what has to be paid for: nobody else
 * is asked then. `wasRead`: it may have read some of the request.
 */
export function mayHaveBeenBilled(
  paid: Billed,
  { outcome: { httpStatus } }: AttemptFailure,
  wasRead: boolean,
): boolean {
  if (paid === 'job') return !hasNotBegun(httpStatus)
  return wasRead && !hasRefused(httpStatus)
}

/** An account that says so has not taken the work, so that it is not done, or paid, twice. */
function hasNotBegun(httpStatus: number | undefined): boolean {
  return httpStatus === 429 || httpStatus === 503
}

/**
 * Above 503 are the words of proxies that have waited in vain for whoever does the work (504, 524),
 * as 408 is. A failure without a status is no answer: a reset, a timeout, a reply of no use.
 */
function hasRefused(httpStatus: number | undefined): boolean {
  return httpStatus !== undefined && httpStatus <= 503 && httpStatus !== 408
}

/** An idle connection that the upstream closed just as it was used: nothing has been answered. */
export function wasStaleConnection(attempt: Attempt, { code, cause }: GatewayError): boolean {
  const reason = (cause as { code?: unknown } | undefined)?.code
  return (
    code === 'upstream_unreachable' &&
    attempt.firstByteAt === undefined &&
    (reason === 'UND_ERR_SOCKET' || reason === 'ECONNRESET' || reason === 'EPIPE')
  )
}

/** The end of a connection shows within one way there and back; no image is drawn in that time. */
const raceMs = 1_000

/**
 * Whether an upstream whose connection was stale cannot have begun: it had answered others over that
 * connection, and was heard to have closed it as soon as the request was sent.
 */
export function wasUnread(attempt: Attempt): boolean {
  const { isReused, startedAt = 0, endedAt = Infinity } = attempt
  return isReused && endedAt - startedAt < raceMs
}
