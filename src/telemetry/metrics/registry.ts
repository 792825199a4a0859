import type { MetricDefinition } from './definition.ts'
import type { SeriesSnapshot, Snapshot } from './snapshot.ts'

/** One combination of labels. Add to its values by `count` or `observe`; nothing is allocated. */
export interface Series {
  /** In the order of the definition. Absent: the one series of everything beyond the limit. */
  readonly labels: readonly string[] | undefined
  /** The value; of a histogram the number in each bucket, in the last one, and the sum. */
  readonly values: Float64Array
  /** The upper bounds of a histogram's buckets. */
  readonly bounds: readonly number[]
}

/** The combinations of labels of one metric. */
export interface Family {
  readonly metric: MetricDefinition
  /**
   * The series of these values, in the order of the definition: the same object each time. Beyond the
   * limit it is one that all others share. Look it up once, and keep it.
   */
  series(...labels: readonly string[]): Series
}

/** The metrics of one process. */
export interface Registry {
  /** The family of a metric, which begins empty. */
  family(metric: MetricDefinition): Family
  snapshot(): Snapshot
}

/** Adds to a counter. */
export function count(series: Series, by = 1): void {
  series.values[0]! += by
}

/** Adds an observation to a histogram. Clocks and accounts may yield NaN or a negative number. */
export function observe({ values, bounds }: Series, value: number): void {
  if (!(value >= 0)) return
  let bucket = 0
  while (bucket < bounds.length && value > bounds[bucket]!) bucket++
  values[bucket]!++
  values[bounds.length + 1]! += value
}

/** The most series of a metric. Labels are bounded, but their product may still be large. */
export const mostSeries = 500

/** Creates an empty registry. */
export function createRegistry(limit = mostSeries): Registry {
  const families = new Map<string, { metric: MetricDefinition; all: Series[]; family: Family }>()

  function create(metric: MetricDefinition) {
    const all: Series[] = []
    const known = new Map<string, Series>()
    let overflow: Series | undefined
    const { buckets: bounds = [] } = metric
    const size = metric.buckets ? bounds.length + 2 : 1
    const add = (labels: readonly string[] | undefined): Series => {
      const series = { labels, values: new Float64Array(size), bounds }
      all.push(series)
      return series
    }

    function series(...labels: readonly string[]): Series {
      const key = keyOf(labels)
      let found = known.get(key)
      if (found) return found
      if (all.length >= limit) return (overflow ??= add(undefined))
      known.set(key, (found = add(labels)))
      return found
    }

    return { metric, all, family: { metric, series } }
  }

  return {
    family(metric) {
      let known = families.get(metric.name)
      if (!known) families.set(metric.name, (known = create(metric)))
      return known.family
    },
    snapshot: () =>
      new Map(
        Array.from(families.values(), ({ metric, all }) => [metric.name, all.map(copyOf)] as const),
      ),
  }
}

/** Labels as one text. NUL stands between them, since no name or id has it. */
export function keyOf(labels: readonly string[]): string {
  return labels.join('\u0000')
}

function copyOf({ labels, values }: Series): SeriesSnapshot {
  return [labels ?? null, [...values]]
}

/** A series that exists only once something is counted in it. */
export function lazy(create: () => Series): () => Series {
  let series: Series | undefined
  return () => (series ??= create())
}
