import type { HrTime } from '@opentelemetry/api'
import type { MetricData } from '@opentelemetry/sdk-metrics'

import type { MetricDefinition } from './definition.ts'
import type { SeriesSnapshot, Snapshot } from './snapshot.ts'

// The numbers of the enumerations of `@opentelemetry/sdk-metrics`, which is loaded only for a push.
const kinds = { histogram: 0, gauge: 2, sum: 3 } as const
const cumulative = 1
const double = 1

/** The times of a push, in milliseconds since 1970. */
interface Period {
  /** When the process began to count. */
  readonly since: number
  readonly until: number
}

/** The values of a snapshot in the form of the OpenTelemetry SDK. Sums count from the start of the process. */
export function toMetricData(
  snapshot: Snapshot,
  definitions: Iterable<MetricDefinition>,
  { since, until }: Period,
): MetricData[] {
  const startTime = toHrTime(since)
  const endTime = toHrTime(until)
  return Array.from(definitions).flatMap((metric) => {
    const all = snapshot.get(metric.name) ?? []
    if (all.length === 0) return []
    const { name, help: description, unit } = metric
    const common = {
      descriptor: { name, description, unit, valueType: double },
      aggregationTemporality: cumulative,
    }
    const points = (valueOf: (values: readonly number[]) => unknown) =>
      all.map((one) => ({
        startTime,
        endTime,
        attributes: attributesOf(metric, one),
        value: valueOf(one[1]),
      }))
    // TypeScript knows the members of the enumerations only by their names.
    return [{ ...common, ...dataOf(metric, points) } as unknown as MetricData]
  })
}

function dataOf(
  { type, buckets, parts = 1 }: MetricDefinition,
  points: (valueOf: (values: readonly number[]) => unknown) => unknown,
): object {
  if (buckets) {
    return {
      dataPointType: kinds.histogram,
      dataPoints: points((values) => {
        const counts = values.slice(0, -1)
        return {
          buckets: { boundaries: [...buckets], counts },
          count: counts.reduce((sum, one) => sum + one, 0),
          sum: values.at(-1) ?? 0,
        }
      }),
    }
  }
  const dataPoints = points(([value = 0]) => value / parts)
  if (type === 'gauge') return { dataPointType: kinds.gauge, dataPoints }
  return { dataPointType: kinds.sum, isMonotonic: type === 'counter', dataPoints }
}

function attributesOf(
  { labels: names }: MetricDefinition,
  [labels]: SeriesSnapshot,
): Record<string, string | boolean> {
  if (!labels) return { 'otel.metric.overflow': true }
  return Object.fromEntries(
    names.map((name, index) => [name, labels[index] ?? '']).filter(([, value]) => value !== ''),
  )
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}
