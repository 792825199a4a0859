import type { Outcome } from '../contract/outcome.ts'

/** For an error of an account without a message. */
export const noMessage = 'The upstream reported an error.'

/**
 * Whether a result is a failure, which accounts explain in their own words. An answer that is only cut
 * off consists of the model's words, and stays as it is.
 */
export function hasFailed({ status }: Pick<Outcome, 'status'>): boolean {
  return status === 'failed' || status === 'cancelled'
}
