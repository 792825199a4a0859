import { z } from 'zod'

import { bytes, described, expects, flag } from './schema-nodes.ts'

const modelNames = z
  .array(z.string().min(1).max(256))
  .max(100)
  .meta(expects('a list of at most 100 names of models', ['gpt-4.1-mini']))

const genAiSchema = z.strictObject({
  semconv: described(
    z.enum(['stable', 'latest']).meta(expects("'stable' or 'latest'", 'stable')),
    'Names of the metrics of model calls: `stable` as most dashboards have them, `latest` those of the present draft of the conventions.',
    {
      defaultText:
        '`latest` where `OTEL_SEMCONV_STABILITY_OPT_IN` has `gen_ai_latest_experimental`, otherwise `stable`',
    },
  ).optional(),
})

const metricsSchema = z.strictObject({
  requireToken: described(
    flag,
    'Whether `/metrics` needs an admin token, of any role. `false` lets every machine that reaches the admin address read it.',
    { defaultText: 'for requests from other machines, and through proxies' },
  ).optional(),
  models: described(
    modelNames,
    'Names of models that labels have as they are, besides those that accounts list. Any other that only a pattern of an account matches (`gpt-*`) has the pattern as label: clients choose the names.',
    { default: [] },
  ).optional(),
  otlp: described(
    flag,
    'Whether metrics are pushed by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables name.',
    { defaultText: 'where `OTEL_METRICS_EXPORTER` has `otlp`' },
  ).optional(),
})

const logsSchema = z.strictObject({
  otlp: described(
    flag,
    "Whether the operators' log is sent by OTLP as well, to the place that the `OTEL_EXPORTER_OTLP_*` variables name. `OTEL_LOGS_EXPORTER=none` and `OTEL_SDK_DISABLED=true` prevail.",
    { defaultText: 'where `OTEL_LOGS_EXPORTER` has `otlp`' },
  ).optional(),
  access: described(flag, 'Whether the access log is sent too, with `otlp`.', {
    default: false,
  }).optional(),
})

const isEndpoint = (text: string) => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  return !url.username && !url.password && !url.search && !url.hash
}

const endpoint = z
  .string()
  .refine(isEndpoint)
  .meta({
    ...expects('an http(s) URL without credentials, query or fragment', 'http://collector:4318'),
    hidden: true,
    pattern: '^https?://',
  })

const tracesSchema = z.strictObject({
  detail: described(
    z
      .enum(['minimal', 'standard', 'full'])
      .meta(expects("'minimal', 'standard' or 'full'", 'standard')),
    'The spans of a trace: `minimal` has the exchange and its call, `standard` the choice of an account and each attempt as well, `full` all stages.',
    { default: 'standard' },
  ).optional(),
  incoming: described(
    z.enum(['trust', 'link', 'ignore']).meta(expects("'trust', 'link' or 'ignore'", 'link')),
    'What becomes of a `traceparent` that a client sends: `trust` continues its trace, so that clients decide what is sampled; `link` begins a new trace that links to it; `ignore` drops it.',
    { defaultText: '`trust` for requests through a trusted proxy, otherwise `link`' },
  ).optional(),
  sample: described(
    z.number().min(0).max(1).meta(expects('a number from 0 to 1', 0.1)),
    'The share of the traces that begin here. A continued trace is sampled if its client samples it. `OTEL_TRACES_SAMPLER` goes before it.',
    { default: 1 },
  ).optional(),
  content: described(
    flag,
    'Whether spans have what callers ask and models answer: texts, instructions and tools. API keys in it are replaced, but nothing else that is private.',
    { default: false },
  ).optional(),
  contentBytes: described(
    bytes.max(1_048_576),
    'The most bytes of a request and of a reply that a span has with `content`, up to 1 MiB.',
    { default: 8_192 },
  ).optional(),
  endpoint: described(
    endpoint,
    'URL of the collector, without `/v1/traces`. `OTEL_EXPORTER_OTLP_ENDPOINT` and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` go before it.',
    { default: 'http://localhost:4318' },
  ).optional(),
})

/** The schema of `telemetry`. */
export const telemetrySchema = z.strictObject({
  genai: described(genAiSchema, 'Names of the semantic conventions for generative AI.').optional(),
  metrics: described(
    z
      .union([metricsSchema, z.literal(false)])
      .meta(expects('an object of settings, or false', { requireToken: false })),
    'Metrics, at `/metrics` of the admin address. False counts nothing.',
    { defaultText: 'the defaults of its settings' },
  ).optional(),
  logs: described(logsSchema, '[Logs by OTLP](logs.md#otlp).').optional(),
  traces: described(
    z
      .union([tracesSchema, z.boolean()])
      .meta(expects('an object of settings, or true or false', { detail: 'standard' })),
    '[Traces](traces.md) by OTLP. The variables of OpenTelemetry (`OTEL_*`) go before these settings, and `OTEL_SDK_DISABLED=true` and `OTEL_TRACES_EXPORTER=none` turn traces off. False traces nothing.',
    {
      defaultText:
        'true where `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` is set, otherwise false',
    },
  ).optional(),
})
