import type { Settings } from '../configuration/settings.ts'
import type { EnvironmentVariables } from '../configuration/secrets.ts'
import { type Log, describeError } from '../lib/log.ts'
import type { Metrics } from '../telemetry/metrics/index.ts'
import type { Sender } from '../telemetry/sender.ts'
import { packageVersion } from './versions.ts'
import { joinMetrics } from './worker-metrics.ts'

/** The process that counts. */
interface MetricsSurroundings {
  /** The number of the worker. Absent: the gateway has one process. */
  readonly worker: number | undefined
  readonly env: EnvironmentVariables
  readonly log: Log
  readonly resources: AsyncDisposableStack
}

/** The metrics of a process. */
interface OpenedMetrics {
  readonly metrics: Metrics
  /** Absent: no collector gets them. */
  readonly sender?: Sender
}

/** Begins to count. `resources` ends it, after everything that is counted. */
export async function openMetrics(
  { telemetry: { metrics: setting } }: Settings,
  { worker, env, log, resources }: MetricsSurroundings,
): Promise<OpenedMetrics | undefined> {
  if (setting === false) return undefined
  // Only a gateway that counts loads the metrics.
  const { createMetrics } = await import('../telemetry/metrics/index.ts')
  const version = packageVersion()
  const metrics = resources.use(createMetrics({ setting, version, now: Date.now }))
  if (worker !== undefined) resources.use(joinMetrics(metrics))
  if (!setting.otlp) return { metrics }
  try {
    // Only a gateway that pushes loads OpenTelemetry.
    const { pushMetrics } = await import('../telemetry/metrics/otlp.ts')
    return { metrics, sender: resources.use(await pushMetrics({ metrics, log, version, env })) }
  } catch (error) {
    log.error('metrics are not pushed to a collector', describeError(error))
    return { metrics }
  }
}
