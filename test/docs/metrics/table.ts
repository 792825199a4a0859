import { catalog } from '../../../src/telemetry/metrics/catalog.ts'
import { labelName, sampleName } from '../../../src/telemetry/metrics/definition.ts'
import { errorWords } from '../../../src/telemetry/error-types.ts'

/** The names of the generated parts of `docs/metrics.md`. */
export const metricsRegion = 'metrics'
export const errorTypesRegion = 'error-types'

/** The table of all metrics. */
export function renderMetrics(): string {
  const rows = catalog.map((metric) =>
    [
      `\`${sampleName(metric)}\``,
      metric.type === 'updown' ? 'gauge' : metric.type,
      metric.labels.map((label) => `\`${labelName(label)}\``).join(', '),
      metric.help,
    ].join(' | '),
  )
  const head = '| name | type | labels | meaning |\n|---|---|---|---|'
  return `${head}\n${rows.map((row) => `| ${row} |`).join('\n')}`
}

/** The words of `error_type`. */
export function renderErrorTypes(): string {
  return errorWords.map((word) => `\`${word}\``).join(', ')
}
