import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../../../deploy/grafana/dragoman.json')

/** A query of a panel. */
interface Target {
  readonly refId: string
  readonly expr: string
  readonly legendFormat: string
  readonly instant: boolean
  readonly datasource: DataSource
}

interface DataSource {
  readonly type: string
  readonly uid: string
}

/** A panel or a row. */
export interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: {
    readonly x: number
    readonly y: number
    readonly w: number
    readonly h: number
  }
  readonly description?: string
  readonly datasource?: DataSource
  readonly targets?: readonly Target[]
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
}

/** A variable of the dashboard. */
interface Variable {
  readonly name: string
  readonly type: string
  readonly datasource?: DataSource
  readonly definition?: string
  readonly allValue?: string
}

/** The dashboard, as Grafana reads it. */
export interface Dashboard {
  readonly uid: string
  readonly schemaVersion: number
  readonly templating: { readonly list: readonly Variable[] }
  readonly annotations: {
    readonly list: readonly { readonly name: string; readonly expr: string }[]
  }
  readonly panels: readonly Panel[]
}

/** Reads the file that is imported into Grafana. */
export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync(file, 'utf8')) as Dashboard
}

/** An expression, and where it stands. */
export interface Placed {
  readonly place: string
  readonly expr: string
  /** Whether it asks for the values of now only. */
  readonly isInstant: boolean
}

/** All expressions of the dashboard: of its panels, annotations and variables. */
export function expressionsOf({ panels, annotations, templating }: Dashboard): Placed[] {
  return [
    ...panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ refId, expr, instant }) => ({
        place: `panel "${title}", ${refId}`,
        expr,
        isInstant: instant,
      })),
    ),
    ...annotations.list.map(({ name, expr }) => ({
      place: `annotation "${name}"`,
      expr,
      isInstant: false,
    })),
    ...templating.list.flatMap(({ name, definition }) =>
      definition === undefined
        ? []
        : [{ place: `variable "${name}"`, expr: asQuery(definition), isInstant: true }],
    ),
  ]
}

/** `label_values(SERIES, LABEL)` is a function of Grafana's: the same as a query. */
function asQuery(definition: string): string {
  const [, series, label] = /^label_values\((.+), (\w+)\)$/.exec(definition) ?? []
  if (series === undefined) throw new Error(`A variable is not a list of labels: ${definition}`)
  return `count by (${label}) (${series})`
}

/** The values of variables: one or several are chosen, or with `$__all` all. */
export type Choices = Readonly<Record<string, readonly string[]>>

/** The times that Grafana puts in for a scrape every second. */
const times: Readonly<Record<string, string>> = {
  $__rate_interval: '4s',
  $__range: '60s',
  $__interval: '1s',
}

/** Puts values in place of variables, as Grafana's data source for Prometheus does. */
export function substituted(expr: string, { templating }: Dashboard, choices: Choices): string {
  return expr.replaceAll(/\$\w+/g, (name) => {
    const time = times[name]
    if (time !== undefined) return time
    const variable = templating.list.find((one) => `$${one.name}` === name)
    const values = variable && choices[variable.name]
    if (!values) throw new Error(`No value of ${name} in ${expr}`)
    if (values[0] === '$__all' && variable.allValue !== undefined) return variable.allValue
    const escaped = values.map(escapedForMatcher)
    return escaped.length === 1 ? String(escaped[0]) : `(${escaped.join('|')})`
  })
}

/** A value within the text of a matcher with a regular expression. */
function escapedForMatcher(value: string): string {
  return value.replaceAll(/[$^*{}[\]+?.()|\\]/g, String.raw`\\$&`)
}
