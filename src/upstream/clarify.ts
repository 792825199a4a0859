import { type AttemptFailure, withSubject } from './failure.ts'
import type { AttemptContext } from './settle.ts'

/** Asks the plugins what an unclear refusal is about, before it decides on failover and the caller's error. */
export async function clarify(
  failure: AttemptFailure,
  { exchange, attempt: { candidate }, hooks }: AttemptContext,
): Promise<AttemptFailure> {
  const { outcome } = failure
  const about = await hooks.refusal?.({ exchange, candidate, outcome })
  return about ? withSubject(failure, about) : failure
}

/** Whether a failure waits for `clarify`. */
export function isUnclear({ outcome }: AttemptFailure): boolean {
  return outcome.about === 'unclear'
}
