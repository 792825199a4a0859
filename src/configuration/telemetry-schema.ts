import { z } from 'zod'

import { described, expects, flag } from './schema-nodes.ts'

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
})
