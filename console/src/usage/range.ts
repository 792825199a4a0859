import { useStep } from '../api/clock.ts'

/** A stretch of time of the API: from a moment, to behind the last. */
export interface Range {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000

/** The last 30 days and the whole of today, by days of UTC. A page that stays open goes on with the days. */
export function useMonth(): Range {
  const today = useStep(dayMs)
  return rangeOf(today - 30 * dayMs, today + dayMs)
}

/** A range of two moments in milliseconds since 1970. */
export function rangeOf(from: number, to: number): Range {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
