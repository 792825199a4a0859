import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'

import { type Log, describeError } from '../../lib/log.ts'
import { createResource } from '../resource.ts'
import { type ConnectedCollector, collectorOf, exportInTime, httpProtocolOf } from '../collector.ts'
import { type Sender, lastTime } from '../sender.ts'
import type { Metrics } from './index.ts'
import { toMetricData } from './otlp-data.ts'

/** The name of the scope. */
const product = 'dragoman'

/** The options of `pushMetrics`. */
interface PushOptions {
  /** Each worker pushes its own values. */
  readonly metrics: Pick<Metrics, 'snapshot' | 'stored' | 'definitions'>
  readonly log: Log
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The default of `OTEL_METRIC_EXPORT_INTERVAL`, in milliseconds. */
const usualInterval = 60_000

/**
 * Pushes the metrics of this process by OTLP, as the `OTEL_*` variables say. No push begins before the one
 * before it has ended, and none takes longer than its timeout, so that a slow collector costs no more than one.
 * Rejects if the variables cannot be used.
 */
export async function pushMetrics({ metrics, log, version, env }: PushOptions): Promise<Sender> {
  const { exporter, collector } = await createExporter(env)
  const send = exportInTime(exporter, collector, (fields) =>
    log.warn('metrics cannot be pushed; the next push has them', fields),
  )
  const resource = createResource(version)
  const since = performance.timeOrigin
  let pushing: Promise<void> | undefined

  async function push(): Promise<void> {
    const snapshot = new Map([...(await metrics.snapshot()), ...(await metrics.stored())])
    const data = toMetricData(snapshot, metrics.definitions.values(), { since, until: Date.now() })
    const scopeMetrics = [{ scope: { name: product, version }, metrics: data }]
    const batch = { resource, scopeMetrics }
    await new Promise<void>((resolve) => send(batch, () => resolve()))
  }

  function pushNext(): Promise<void> {
    pushing ??= push()
      .catch((error: unknown) => log.error('metrics cannot be pushed', describeError(error)))
      .finally(() => void (pushing = undefined))
    return pushing
  }

  const timer = setInterval(() => void pushNext(), intervalOf(env)).unref()

  const last = lastTime()

  async function pushLast(): Promise<void> {
    clearInterval(timer)
    const final = (pushing ?? Promise.resolve()).then(pushNext)
    await Promise.race([final, afterwards(last.left())])
    collector.drop()
    void exporter.shutdown().catch(() => {})
  }

  let ending: Promise<void> | undefined
  return {
    sendLast() {
      last.begin()
      void pushNext()
    },
    [Symbol.asyncDispose]: () => (ending ??= pushLast()),
  }
}

/** An exporter of metrics, and where it sends them. */
interface Connected {
  readonly exporter: PushMetricExporter
  readonly collector: ConnectedCollector
}

/** Loads the exporter of the protocol: http/protobuf, which is the default, or http/json. Rejects for another. */
async function createExporter(env: PushOptions['env']): Promise<Connected> {
  const { OTLPMetricExporter } =
    httpProtocolOf('METRICS', env) === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  const collector = collectorOf('metrics')
  const { httpAgentOptions } = collector
  return { exporter: new OTLPMetricExporter({ httpAgentOptions }), collector }
}

function intervalOf({ OTEL_METRIC_EXPORT_INTERVAL: text }: PushOptions['env']): number {
  const ms = Number(text)
  return ms >= 1 && ms <= 2 ** 31 - 1 ? ms : usualInterval
}

function afterwards(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}
