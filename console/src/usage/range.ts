/** A stretch of time of the API: from a moment, to behind the last. */
export interface Range {
  readonly from: string
  readonly to: string
}

const dayMs = 86_400_000

/** The last 30 days and the whole of today. */
export function monthBefore(now: number = Date.now()): Range {
  return rangeOf(now - 30 * dayMs, now + dayMs)
}

/** A range of two moments in milliseconds since 1970. */
export function rangeOf(from: number, to: number): Range {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
}
