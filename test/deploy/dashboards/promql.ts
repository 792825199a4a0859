import { catalog } from '../../../src/telemetry/metrics/catalog.ts'
import { labelName, sampleName } from '../../../src/telemetry/metrics/definition.ts'

/** A series that an expression names: its name, empty for any, and the labels that it matches. */
interface Selector {
  readonly name: string
  readonly labels: readonly string[]
}

/** The names in an expression of PromQL. */
export interface Names {
  readonly selectors: readonly Selector[]
  /** The labels by which it groups and joins. */
  readonly groupedBy: readonly string[]
}

const words = new Set(
  'and or unless by on bool without group_left group_right ignoring offset'.split(' '),
)

/** The names in an expression, whose variables of Grafana may stand in it. */
export function namesIn(expression: string): Names {
  const groupedBy: string[] = []
  // Texts of matchers may contain anything.
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|on|without|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, list) => {
      groupedBy.push(...listed(list))
      return ' '
    })
  const selectors = Array.from(
    bare.matchAll(/([a-zA-Z_:][\w:]*)?\s*\{([^}]*)\}|([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g),
    ([, name = '', matchers, alone = '']) => ({
      name: name + alone,
      labels: listed(matchers ?? '').map((matcher) => /^\w+/.exec(matcher)?.[0] ?? matcher),
    }),
  )
  return { selectors: selectors.filter(({ name }) => !words.has(name)), groupedBy }
}

function listed(text: unknown): string[] {
  return String(text)
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** The labels of a series beside those that Prometheus adds to each. */
export type Labels = readonly string[]

const ofTarget: Labels = ['job', 'instance']

/** The series of the gateway's metrics, by the names that queries have. */
export const seriesOfCatalog: ReadonlyMap<string, Labels> = new Map(
  catalog.flatMap((metric) => {
    const name = sampleName(metric)
    const labels = metric.labels.map(labelName)
    if (metric.type !== 'histogram') return [[name, labels]]
    return [
      [`${name}_bucket`, [...labels, 'le']],
      [`${name}_sum`, labels],
      [`${name}_count`, labels],
    ]
  }),
)

/** The metrics and labels of an expression that neither the gateway nor `others` has. */
export function unknownNames(expression: string, others: ReadonlyMap<string, Labels>): string[] {
  const { selectors, groupedBy } = namesIn(expression)
  const labelsOf = (name: string) => seriesOfCatalog.get(name) ?? others.get(name)
  const unknown = selectors.flatMap(({ name, labels }) => {
    const known = name === '' ? ['__name__', 'otel_metric_overflow'] : labelsOf(name)
    if (!known) return [name]
    const all = [...known, ...ofTarget]
    return labels.filter((label) => !all.includes(label)).map((label) => `${name}{${label}}`)
  })
  const all = [
    ...ofTarget,
    ...selectors.flatMap(({ name }) => (name === '' ? ['__name__'] : (labelsOf(name) ?? []))),
  ]
  return [...unknown, ...groupedBy.filter((label) => !all.includes(label))]
}
