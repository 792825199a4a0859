import { type BucketSums, type Ledger, type Step, type SumsOf, steps } from '../stores/ledger.ts'
import {
  type Sums,
  addSums,
  failureNames,
  histogramBounds,
  histogramOf,
} from '../stores/ledger-sums.ts'
import { type TimeRange, finestOf, sizeOf } from './parts.ts'
import { type OwnerFilter, isFilter, visitSums } from './read-sums.ts'

/** What a series shows of each bucket. */
const metrics = {
  CALLS: (sums) => sums.calls ?? 0,
  FAILURES: (sums) => failureNames.reduce((sum, name) => sum + (sums[name] ?? 0), 0),
  TOKENS: (sums) => (sums.inputTokens ?? 0) + (sums.outputTokens ?? 0),
  COST: (sums) => (sums.costNano ?? 0) / 1e9,
  FIRST_OUTPUT_P50: (sums) => percentile(histogramOf(sums, 'first'), 0.5),
  FIRST_OUTPUT_P95: (sums) => percentile(histogramOf(sums, 'first'), 0.95),
  DURATION_P95: (sums) => percentile(histogramOf(sums, 'duration'), 0.95),
} as const satisfies Readonly<Record<string, (sums: Sums) => number | null>>

/** The name of a metric. */
type Metric = keyof typeof metrics

export const metricNames = Object.keys(metrics) as [Metric, ...Metric[]]

/** What a series is about. */
interface SeriesQuery extends TimeRange {
  readonly metric: Metric
  /** The property of calls that has a line for each of its values. Absent: one line of all calls. */
  readonly by: keyof SumsOf | undefined
  readonly filter: OwnerFilter
  /** Absent: the finest step that has few enough points. */
  readonly step: Step | undefined
  /** The number of lines besides the line `other`. */
  readonly top: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A point of a line. */
interface Point {
  /** The start of its bucket, in milliseconds since 1970. */
  readonly at: number
  /** Null: unknown. No process has counted, or what it has counted is lost. */
  readonly value: number | null
  /** Whether all that was counted in the bucket is in its value. */
  readonly isComplete: boolean
}

/** Lines over time. */
export interface Series {
  readonly step: Step
  readonly lines: readonly {
    /** The id or the name that the line is of; `all`, or `other` for all others together. '' stands for none. */
    readonly label: string
    /** Whether it is the line of all others. */
    readonly isOther: boolean
    readonly points: readonly Point[]
  }[]
}

/** The most points of a line. */
export const mostPoints = 400

/** The most lines besides the line `other`. */
export const mostLines = 8

/** The time in which a process that has counted a minute says so. */
const noteMs = 2 * 60_000

/** Reads a series; `undefined` if its step makes too many points, or is stored for a shorter time. Rejects as `visitSums` does. */
export async function readSeries(
  ledger: Pick<Ledger, 'sums'>,
  query: SeriesQuery,
  signal?: AbortSignal,
): Promise<Series | undefined> {
  const { by, filter, top, now } = query
  const step = stepOf(query)
  if (step === undefined) return undefined
  const ms = sizeOf(step)
  const from = Math.floor(query.from / ms) * ms
  const starts = Array.from({ length: pointsOf(query, ms) }, (_, index) => from + index * ms)
  const part = { step, from, to: from + starts.length * ms }

  const whole = new Map<number, Sums>()
  const visitWhole = ({ start, sums }: BucketSums) => void whole.set(start, sums)
  await visitSums(ledger, [{ ...part, of: 'all' }], visitWhole, { signal })

  const lines = new Map<string | null, Line>()
  const add = (one: BucketSums) => {
    const label = by === undefined ? null : one[by]
    const line = lines.get(label) ?? new Map<number, Record<string, number>>()
    lines.set(label, line)
    const sums = line.get(one.start) ?? {}
    line.set(one.start, sums)
    addSums(sums, one.sums)
  }
  if (by === undefined && !isFilter(filter))
    for (const [start, sums] of whole) add({ ...noOwner, start, sums })
  else await visitSums(ledger, [{ ...part, of: 'each' }], add, { filter, signal })
  if (by === undefined && lines.size === 0) lines.set(null, new Map())

  const measure: (sums: Sums) => number | null = metrics[query.metric]
  const states = starts.map((start) => stateOf(whole.get(start), step, start + ms, now))
  const pointsOfLine = (line: Line) =>
    starts.map((at, index): Point => {
      const { isKnown, isComplete } = states[index]!
      return { at, value: isKnown ? measure(line.get(at) ?? {}) : null, isComplete }
    })
  return {
    step,
    lines: largest(lines, query.metric, Math.min(top, mostLines)).map(([label, line]) => ({
      label: label ?? (by === undefined ? 'all' : 'other'),
      isOther: label === null && by !== undefined,
      points: pointsOfLine(line),
    })),
  }
}

/** The sums of the buckets of a line, by their starts. */
type Line = Map<number, Record<string, number>>

const noOwner: SumsOf = { team: '', keyId: '', model: '', accountId: '' }

/** The step of a series; `undefined` if the one that is asked for cannot be had. */
function stepOf(query: SeriesQuery): Step | undefined {
  const finest = finestOf(query.from, query.now)
  const found = steps.findIndex(
    ({ name, ms }, index) =>
      index >= finest &&
      (query.step === undefined || name === query.step) &&
      pointsOf(query, ms) <= mostPoints,
  )
  return steps[found]?.name
}

function pointsOf({ from, to }: TimeRange, ms: number): number {
  return Math.ceil(to / ms) - Math.floor(from / ms)
}

/**
 * Whether a bucket has been counted. A process that begins a minute and does not end it was killed, and what it had not
 * written is lost: of a short time nothing is known then, and of hours and days the rest.
 */
function stateOf(sums: Sums | undefined, step: Step, end: number, now: number) {
  if (!sums) return { isKnown: false, isComplete: false }
  const { begun = 0, counted = 0, lost = 0, calls = 0, retries = 0 } = sums
  const wasKilled = begun > counted && end + noteMs < now
  const isComplete = lost === 0 && !wasKilled
  const hasCounted = begun > 0 || calls + retries > 0
  const isLong = step === 'hour' || step === 'day'
  return { isKnown: hasCounted && (isComplete || (isLong && calls > 0)), isComplete }
}

/** The largest lines, then all others as one. */
function largest(
  lines: ReadonlyMap<string | null, Line>,
  metric: Metric,
  top: number,
): [string | null, Line][] {
  // Times of few calls are no reason to show them.
  const rank =
    metrics[metric === 'COST' || metric === 'TOKENS' || metric === 'FAILURES' ? metric : 'CALLS']
  const sizes = new Map(
    [...lines].map(([label, line]) => [
      label,
      [...line.values()].reduce((sum, sums) => sum + rank(sums), 0),
    ]),
  )
  const sorted = [...lines].toSorted(([one], [other]) => sizes.get(other)! - sizes.get(one)!)
  if (sorted.length <= top) return sorted
  const rest: Line = new Map()
  for (const [, line] of sorted.slice(top)) {
    for (const [start, sums] of line) {
      const to = rest.get(start) ?? {}
      rest.set(start, to)
      addSums(to, sums)
    }
  }
  return [...sorted.slice(0, top), [null, rest]]
}

/** A percentile of a histogram in milliseconds, as if the times of a bucket were spread evenly; null without any. */
export function percentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = total * share
  for (const [index, count] of counts.entries()) {
    if (count >= left && count > 0) {
      const low = histogramBounds[index - 1] ?? 0
      const high = histogramBounds[index] ?? low
      return Math.round(low + (high - low) * (left / count))
    }
    left -= count
  }
  return histogramBounds.at(-1) ?? null
}
