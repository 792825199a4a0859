import type { MetricDefinition } from './definition.ts'

/** The labels of a series, or null for the series of all values beyond the limit, and its values as in `Series`. */
export type SeriesSnapshot = readonly [labels: readonly string[] | null, values: readonly number[]]

/** A series with one value. */
export function series(labels: readonly string[], value: number): SeriesSnapshot {
  return [labels, [value]]
}

/** The values of metrics at one time, by their names. */
export type Snapshot = ReadonlyMap<string, readonly SeriesSnapshot[]>

/** A snapshot as it passes between processes. */
export type SnapshotMessage = readonly (readonly [string, readonly SeriesSnapshot[]])[]

/** Metrics whose values last beyond their process: sums that never fall. */
function isLasting({ type }: MetricDefinition): boolean {
  return type === 'counter' || type === 'histogram'
}

/** The part of a snapshot that counts on when its process has ended. */
export function lastingPart(
  snapshot: Snapshot,
  definitions: ReadonlyMap<string, MetricDefinition>,
): Snapshot {
  return new Map(
    Array.from(snapshot).filter(([name]) => {
      const metric = definitions.get(name)
      return metric !== undefined && isLasting(metric)
    }),
  )
}

/** Joins snapshots of several processes. A metric without a definition is left out. */
export function mergeSnapshots(
  snapshots: readonly Snapshot[],
  definitions: ReadonlyMap<string, MetricDefinition>,
): Snapshot {
  const merged = new Map<string, readonly SeriesSnapshot[]>()
  for (const [name, metric] of definitions) {
    const parts = snapshots.flatMap((one) => one.get(name) ?? [])
    if (parts.length > 0) merged.set(name, mergeSeries(parts, metric))
  }
  return merged
}

const combine = {
  sum: (one: number, other: number) => one + other,
  max: Math.max,
  min: Math.min,
} as const

function mergeSeries(
  parts: readonly SeriesSnapshot[],
  { merge = 'sum' }: MetricDefinition,
): readonly SeriesSnapshot[] {
  const byLabels = new Map<string, { labels: SeriesSnapshot[0]; values: number[] }>()
  for (const [labels, values] of parts) {
    const key = JSON.stringify(labels)
    const known = byLabels.get(key)
    if (!known) byLabels.set(key, { labels, values: [...values] })
    else {
      values.forEach((value, index) => {
        known.values[index] = combine[merge](known.values[index] ?? 0, value)
      })
    }
  }
  return Array.from(byLabels.values(), ({ labels, values }) => [labels, values])
}
