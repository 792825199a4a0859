import { isObject } from '../lib/json/object.ts'
import type { DescribedSetting, Settings } from './settings.ts'

/** A setting with a default. */
export function field(path: string, value: unknown, written: unknown): DescribedSetting {
  return { path, value: value ?? null, origin: written === undefined ? 'DEFAULT' : 'FILE' }
}

/** A setting without a default. */
export function fromFile(path: string, value: unknown): DescribedSetting {
  return { path, value, origin: 'FILE' }
}

/** What of the gateway can be seen from outside. */
export function describeTelemetry(
  { telemetry: { genai, metrics, logs, traces } }: Settings,
  written: Readonly<Record<string, unknown>>,
): DescribedSetting[] {
  const within = (name: string) => (isObject(written[name]) ? written[name] : {})
  const { semconv } = within('genai')
  const { requireToken, models, otlp } = within('metrics')
  const isOf = (value: unknown, fallback: unknown, own: unknown) =>
    own === undefined && value !== fallback ? { origin: 'ENVIRONMENT' as const } : {}
  return [
    {
      ...field('telemetry.genai.semconv', genai.semconv, semconv),
      ...isOf(genai.semconv, 'stable', semconv),
    },
    ...(metrics
      ? [
          field('telemetry.metrics.requireToken', metrics.requireToken, requireToken),
          field('telemetry.metrics.models', metrics.models, models),
          {
            ...field('telemetry.metrics.otlp', metrics.otlp, otlp),
            ...isOf(metrics.otlp, false, otlp),
          },
        ]
      : [fromFile('telemetry.metrics', false)]),
    {
      ...field('telemetry.logs.otlp', logs.otlp, within('logs').otlp),
      ...isOf(logs.otlp, false, within('logs').otlp),
    },
    field('telemetry.logs.access', logs.access, within('logs').access),
    ...(traces
      ? Object.entries(traces).map(([name, value]) =>
          field(`telemetry.traces.${name}`, value, within('traces')[name]),
        )
      : [
          {
            ...field('telemetry.traces', false, written.traces),
            // The environment turns off what the configuration turns on.
            ...isOf(false, written.traces ?? false, undefined),
          },
        ]),
  ]
}
