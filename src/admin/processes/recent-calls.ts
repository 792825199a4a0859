import { histogramBounds } from '../../stores/ledger-sums.ts'

/** The time that is known, in parts, in milliseconds. */
const partMs = 60_000
const parts = 5

/** The buckets of times; the last one has no bound. */
export const mostBuckets = histogramBounds.length + 1

/** The numbers of a part: calls, failures, then the times to the first byte by buckets. */
const width = 2 + mostBuckets

/** Calls of some minutes, as a process reports them. */
export interface CallSums {
  readonly calls: number
  /** The calls whose failure the account caused. */
  readonly failures: number
  /** The times to the first byte of the reply, by the buckets of `histogramBounds`. */
  readonly times: readonly number[]
}

export const noCalls: CallSums = { calls: 0, failures: 0, times: [] }

/** Counts the calls at an account in the last four to five minutes. Times are milliseconds of one clock. */
export class RecentCalls {
  readonly #counts = new Uint32Array(parts * width)
  /** The number of each part since the beginning of the clock. */
  readonly #numbers = new Float64Array(parts).fill(-1)

  count(now: number, hasFailed: boolean, firstByteMs: number | undefined): void {
    const number = Math.floor(now / partMs)
    const place = number % parts
    const start = place * width
    if (this.#numbers[place] !== number) {
      this.#counts.fill(0, start, start + width)
      this.#numbers[place] = number
    }
    this.#counts[start]!++
    if (hasFailed) this.#counts[start + 1]!++
    if (firstByteMs !== undefined) this.#counts[start + 2 + bucketOf(firstByteMs)]!++
  }

  sums(now: number): CallSums {
    const first = Math.floor(now / partMs) - parts
    const sums = Array.from({ length: width }, () => 0)
    for (let place = 0; place < parts; place++) {
      if (this.#numbers[place]! <= first) continue
      for (let at = 0; at < width; at++) sums[at]! += this.#counts[place * width + at]!
    }
    const [calls = 0, failures = 0, ...times] = sums
    return calls === 0 ? noCalls : { calls, failures, times }
  }
}

function bucketOf(ms: number): number {
  const found = histogramBounds.findIndex((bound) => ms <= bound)
  return found < 0 ? histogramBounds.length : found
}

/** The sums of several processes. */
export function addCalls(one: CallSums, other: CallSums): CallSums {
  return {
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    times: Array.from(
      { length: Math.max(one.times.length, other.times.length) },
      (_, index) => (one.times[index] ?? 0) + (other.times[index] ?? 0),
    ),
  }
}
