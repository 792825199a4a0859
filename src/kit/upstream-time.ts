import type { Attempt, Ended } from '../contract/exchange.ts'

/**
 * The milliseconds in which accounts had the call, over all its attempts; `undefined` if none got a request. The
 * rest of the duration of the exchange is the gateway's own. `durationMs`: of the exchange.
 */
export function upstreamTimeOf(
  { progress: { former, attempt }, receivedAt }: Ended,
  durationMs: number,
): number | undefined {
  const last = attempt && timeOf(attempt, receivedAt + durationMs)
  if (former.length === 0) return last
  return former.reduce((sum, one) => sum + (timeOf(one, 0) ?? 0), last ?? 0)
}

/** `end`: when an attempt that has not ended counts as ended, by `performance.now()`. */
function timeOf({ startedAt, endedAt }: Attempt, end: number): number | undefined {
  return startedAt === undefined ? undefined : Math.max(0, (endedAt ?? end) - startedAt)
}
