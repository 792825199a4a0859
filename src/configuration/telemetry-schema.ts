import { z } from 'zod'

import { defined } from '../lib/json/object.ts'
import { type TelemetrySetting, isMetricsPushIn, logsIn, tracesIn } from '../telemetry/settings.ts'
import { isHttpUrl } from './endpoints.ts'
import { expects, flag, group, optional, withDefault } from './schema-nodes.ts'
import type { EnvironmentVariables } from './secrets.ts'

const modelNames = z
  .array(z.string().min(1).max(256))
  .max(100)
  .meta(expects('a list of at most 100 names of models', ['gpt-4.1-mini']))

const metricsSchema = z.strictObject({
  requireToken: optional(
    flag,
    'Whether `/metrics` needs an admin token, of any role. `false` lets every machine that reaches the admin address read it.',
    'for requests from other machines, and through proxies',
  ),
  models: withDefault(
    modelNames,
    'Names of models that labels have as they are, besides those that accounts list. Any other that only a pattern of an account matches (`gpt-*`) has the pattern as label: clients choose the names.',
    [],
  ),
  by: withDefault(
    z
      .array(z.enum(['key', 'team']))
      .max(2)
      .meta(expects("a list of 'key' and 'team'", ['team'])),
    'Whether the [calls, tokens and costs](metrics.md#costs) of each key, or of each team, are series of their own: 500 at most, and one for all further ones.',
    [],
  ),
  otlp: optional(
    flag,
    'Whether metrics are pushed by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables name.',
    'where `OTEL_METRICS_EXPORTER` has `otlp`',
  ),
})

const logsSchema = z.strictObject({
  otlp: optional(
    flag,
    "Whether the operators' log is sent by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables name. `OTEL_LOGS_EXPORTER=none` and `OTEL_SDK_DISABLED=true` prevail.",
    'where `OTEL_LOGS_EXPORTER` has `otlp`',
  ),
  access: withDefault(flag, 'Whether the access log is sent too, with `otlp`.', false),
  ledger: withDefault(
    flag,
    'Whether the rows of the [ledger](usage.md#a-warehouse) are sent too, with `otlp`: events named `dragoman.attempt`.',
    false,
  ),
})

const endpoint = z
  .string()
  .refine(isHttpUrl)
  .meta({
    ...expects('an http(s) URL without credentials, query or fragment', 'http://collector:4318'),
    hidden: true,
    url: true,
    pattern: '^https?://',
  })

const tracesSchema = z.strictObject({
  incoming: optional(
    z.enum(['trust', 'link', 'ignore']).meta(expects("'trust', 'link' or 'ignore'", 'link')),
    'The use of a `traceparent` that a client sends: `trust` continues its trace, so that clients decide which calls are sampled; `link` begins a new trace that links to it; `ignore` drops it.',
    '`trust` for requests through a trusted proxy, otherwise `link`',
  ),
  sample: withDefault(
    z.number().min(0).max(1).meta(expects('a number from 0 to 1', 0.1)),
    'The share of the traces that begin here. A continued trace is sampled if its client samples it. `OTEL_TRACES_SAMPLER` goes before it.',
    1,
  ),
  content: withDefault(
    flag,
    'Whether spans have what callers ask and models answer: texts, instructions and tools, 8 KiB of each side. API keys in it are replaced, but nothing else that is private.',
    false,
  ),
  endpoint: optional(
    endpoint,
    'URL of the collector, without `/v1/traces`. `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` go before it.',
    '`http://localhost:4318`',
  ),
})

/** The schema of `telemetry`. */
export const telemetrySchema = z.strictObject({
  metrics: withDefault(
    z
      .union([metricsSchema, z.literal(false)])
      .meta(expects('an object of settings, or false', { requireToken: false })),
    'Metrics, at `/metrics` of the admin address. False counts nothing.',
    metricsSchema.parse({}),
    'the defaults of its settings',
  ),
  logs: group(logsSchema, '[Logs by OTLP](logs.md#otlp).'),
  traces: optional(
    z
      .union([tracesSchema, z.boolean()])
      .meta(expects('an object of settings, or true or false', { sample: 0.1 })),
    '[Traces](traces.md) by OTLP. The variables of OpenTelemetry (`OTEL_*`) go before these settings, and `OTEL_SDK_DISABLED=true` and `OTEL_TRACES_EXPORTER=none` turn traces off. False traces nothing.',
    'true where `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set, otherwise false',
  ),
})

/** Applies the defaults and the variables of OpenTelemetry. */
export function completeTelemetry(
  { metrics, logs, traces }: z.output<typeof telemetrySchema>,
  env: EnvironmentVariables,
): TelemetrySetting {
  return {
    metrics: metrics && {
      ...defined(metrics),
      models: metrics.models,
      by: metrics.by,
      otlp: isMetricsPushIn(metrics.otlp, env),
    },
    logs: logsIn(logs, env),
    traces: tracesIn(typeof traces === 'object' ? defined(traces) : traces, env),
  }
}
