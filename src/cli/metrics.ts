import type { Settings } from '../configuration/settings.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics/index.ts'
import { packageVersion } from './versions.ts'
import { joinMetrics } from './worker-metrics.ts'

/** Begins to count. `resources` ends it, after everything that is counted. */
export function openMetrics(
  { telemetry: { metrics: setting, genai } }: Settings,
  worker: number | undefined,
  resources: AsyncDisposableStack,
): Metrics | undefined {
  if (setting === false) return undefined
  const version = packageVersion()
  const metrics = resources.use(
    createMetrics({ setting, semconv: genai.semconv, version, now: Date.now }),
  )
  if (worker !== undefined) resources.use(joinMetrics(metrics))
  return metrics
}
