/** A metric: its name and meaning, for all forms in which it leaves the gateway. */
export interface MetricDefinition {
  /** The name in OTLP: `http.server.request.duration`. */
  readonly name: string
  /** `updown` is a sum that also falls; Prometheus knows it as a gauge. */
  readonly type: 'counter' | 'updown' | 'gauge' | 'histogram'
  /** In UCUM: `s`, `By`, `{token}`; `1` is a share. Or `usd`. */
  readonly unit: string
  readonly help: string
  /** The names of its attributes in OTLP. Each has values of a bounded set only. */
  readonly labels: readonly string[]
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
  /**
   * How many parts of the unit its values count in memory: the sum of whole numbers is exact. They leave the
   * gateway in the unit. Default: 1.
   */
  readonly parts?: number
  /** How the values of several processes become one. Default: `sum`. */
  readonly merge?: 'sum' | 'max' | 'min'
}

const suffixes: Readonly<Record<string, string>> = {
  s: '_seconds',
  By: '_bytes',
  usd: '_usd',
  '1': '_ratio',
}

/** The suffix of the unit in names of Prometheus: `_seconds`; empty for counts. */
export function unitSuffix({ unit, type }: MetricDefinition): string {
  return type === 'counter' && unit === '1' ? '' : (suffixes[unit] ?? '')
}

/** The name in Prometheus, without the `_total` of a counter: `http_server_request_duration_seconds`. */
export function familyName(metric: MetricDefinition): string {
  return metric.name.replaceAll('.', '_') + unitSuffix(metric)
}

/** The name of samples in Prometheus, as queries have it (of a histogram without `_bucket`). */
export function sampleName(metric: MetricDefinition): string {
  return metric.type === 'counter' ? `${familyName(metric)}_total` : familyName(metric)
}

/** The name of a label in Prometheus: the attribute's name without the gateway's own prefix. */
export function labelName(attribute: string): string {
  return attribute.replace(/^dragoman\./, '').replaceAll('.', '_')
}
