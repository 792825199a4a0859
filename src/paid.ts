import type { AttemptFailure } from './upstream/failure.ts'

/**
 * What costs each time that it is done. A `job` goes on at the account after its answer, and has
 * taken some steps before it; a `reply` is all there is, and a refusal in its place means that
 * nothing was made.
 */
export type Paid = 'job' | 'reply'

/**
 * Whether an account that failed may have made, or be making, what has to be paid for: nobody else
 * is asked then. `wasRead`: it may have read some of the request.
 */
export function mayCost(
  paid: Paid,
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
