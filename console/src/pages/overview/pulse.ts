import type { PulseMinute, PulseSample } from './types.ts'

/** What the calls of the last minute were, or of one point of the charts. */
export interface PulseFacts {
  /** Calls that ended in a second. */
  readonly rate: number
  readonly calls: number
  readonly failures: number
  /** Half of the calls, and 95 of 100, had their first output by then, in milliseconds; null: no call had any. */
  readonly firstOutputP50: number | null | undefined
  readonly firstOutputP95: number | null | undefined
  readonly inFlight: number
  /** Calls that ended with a status from 400 to 499. */
  readonly clientErrors: number
  /** In US dollars, without the calls in `unpriced`. */
  readonly cost: number
  readonly unpriced: number
}

/** A sample has so many seconds. */
const sampleSeconds = 5
const samplesOfMinute = 12
const stepMs = sampleSeconds * 1_000

/** The figures of the last minute, or of the sample under the pointer. Undefined: no sample is there. */
export function figuresOf(
  samples: readonly (PulseSample | { readonly at: string })[],
  point: number | null,
  minute: PulseMinute | undefined,
): PulseFacts | undefined {
  const shown = (
    point === null ? samples.slice(-samplesOfMinute) : samples.slice(point, point + 1)
  ).filter((sample) => 'calls' in sample)
  const last = shown.at(-1)
  if (!last) return undefined
  const calls = sum(shown.map((one) => one.calls))
  const timed = point === null ? minute : last
  return {
    calls,
    rate: calls / (shown.length * sampleSeconds),
    failures: sum(shown.map((one) => one.failures)),
    firstOutputP50: timed?.firstOutputP50,
    firstOutputP95: timed?.firstOutputP95,
    inFlight: last.inFlight,
    clientErrors: sum(shown.map((one) => one.clientErrors)),
    cost: sum(shown.map((one) => Number(one.cost))),
    unpriced: sum(shown.map((one) => one.unpriced)),
  }
}

/** The samples with an empty one for each 5 s of which nothing is known, so that charts have a gap there. */
export function withGaps(
  samples: readonly PulseSample[],
): readonly (PulseSample | { readonly at: string })[] {
  const all: (PulseSample | { readonly at: string })[] = []
  let next: number | undefined
  for (const sample of samples) {
    const at = Date.parse(sample.at)
    for (; next !== undefined && next < at - stepMs / 2; next += stepMs)
      all.push({ at: new Date(next).toISOString() })
    all.push(sample)
    next = at + stepMs
  }
  return all
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
