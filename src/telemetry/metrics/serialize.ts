import { type Work, runInTurns } from '../../lib/turns.ts'
import {
  type MetricDefinition,
  familyName,
  labelName,
  sampleName,
  unitSuffix,
} from './definition.ts'
import type { SeriesSnapshot, Snapshot } from './snapshot.ts'

/** The formats in which Prometheus reads metrics. */
export type TextFormat = 'prometheus' | 'openmetrics'

/** Writes a snapshot as text, in turns of the event loop. Metrics without a value are left out. */
export function serialize(
  snapshot: Snapshot,
  definitions: Iterable<MetricDefinition>,
  format: TextFormat,
): Promise<string> {
  return runInTurns(textIn(snapshot, definitions, format))
}

function* textIn(
  snapshot: Snapshot,
  definitions: Iterable<MetricDefinition>,
  format: TextFormat,
): Work<string> {
  let text = ''
  for (const metric of definitions) {
    const all = snapshot.get(metric.name)
    if (!all || all.length === 0) continue
    text += headOf(metric, format)
    const write = writerOf(metric, format)
    for (const series of all) {
      text += write(series)
      yield
    }
  }
  return format === 'openmetrics' ? `${text}# EOF\n` : text
}

function headOf(metric: MetricDefinition, format: TextFormat): string {
  const isOpen = format === 'openmetrics'
  const name = isOpen ? familyName(metric) : sampleName(metric)
  const type = metric.type === 'updown' ? 'gauge' : metric.type
  const unit =
    isOpen && unitSuffix(metric) !== '' ? `# UNIT ${name} ${unitSuffix(metric).slice(1)}\n` : ''
  return `# HELP ${name} ${escapeHelp(metric.help, format)}\n# TYPE ${name} ${type}\n${unit}`
}

function writerOf(
  metric: MetricDefinition,
  format: TextFormat,
): (series: SeriesSnapshot) => string {
  const name = sampleName(metric)
  const names = metric.labels.map(labelName)
  const { buckets, parts = 1 } = metric
  if (!buckets) {
    return ([labels, [value = 0]]) => `${name}${braced(textOf(names, labels))} ${value / parts}\n`
  }
  const ends = [...buckets.map((bound) => boundText(bound, format)), '+Inf'].map(
    (bound) => `le="${bound}"} `,
  )
  return ([labels, values]) => {
    const own = textOf(names, labels)
    const start = `${name}_bucket{${own}${own === '' ? '' : ','}`
    let text = ''
    let total = 0
    for (const [index, end] of ends.entries()) {
      total += values[index] ?? 0
      text += `${start}${end}${total}\n`
    }
    const sum = values[ends.length] ?? 0
    return `${text}${name}_sum${braced(own)} ${sum}\n${name}_count${braced(own)} ${total}\n`
  }
}

/** OpenMetrics writes whole numbers with a point there. */
function boundText(bound: number, format: TextFormat): string {
  return format === 'openmetrics' && Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** An empty value means that the label is absent. */
function textOf(names: readonly string[], labels: SeriesSnapshot[0]): string {
  if (!labels) return 'otel_metric_overflow="true"'
  return names
    .map((name, index) => [name, labels[index] ?? ''] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${escapeValue(value)}"`)
    .join(',')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

function escapeValue(value: string): string {
  return value.toWellFormed().replaceAll(/[\\"\n]/g, (found) => escapes[found] ?? found)
}

/** Prometheus' own format has no escape for quotes there. */
function escapeHelp(help: string, format: TextFormat): string {
  return format === 'openmetrics' ? escapeValue(help) : help
}
