import type * as grafana from '@grafana/schema'
import type { Options as StatOptions } from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen'
import type {
  FieldConfig as TimelineConfig,
  Options as TimelineOptions,
} from '@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen'
import type {
  FieldConfig as TableConfig,
  Options as TableOptions,
} from '@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen'
import type {
  FieldConfig as LinesConfig,
  Options as LinesOptions,
} from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen'

import type { Json } from './json.ts'

/** A query of a panel. */
export interface Query {
  readonly expr: string
  /** The name of a series, with labels as `{{label}}`. */
  readonly legend: string
}

/** A limit at which a value changes its color. */
export type Limit = readonly [from: number, color: 'yellow' | 'orange' | 'red' | 'green']

/** The text and the color of a value. */
export type Mapping = readonly [value: number, text: string, color: 'green' | 'yellow' | 'red']

/** The facts of a panel. */
interface Facts {
  readonly title: string
  /** What the panel shows, and which value is a reason to look further. */
  readonly description: string
  /** A unit of Grafana: `s`, `reqps`, `percentunit`, `bytes`, `short`. */
  readonly unit: string
  readonly queries: readonly Query[]
  readonly limits?: readonly Limit[]
  /** Of the 24 columns. */
  readonly width: number
}

/** A panel of the dashboard without its place. */
export interface Panel {
  readonly width: number
  readonly height: number
  readonly body: PanelBody
}

/** A panel in the form of Grafana, without its id and place. */
export type PanelBody = Omit<Json<grafana.Panel>, 'id' | 'gridPos'>

/** The data source that the variable `datasource` names. */
export const datasource = { type: 'prometheus', uid: '${datasource}' } as const

/** One number with its recent past. */
export function stat(facts: Facts): Panel {
  const body = bodyOf(facts, { custom: {}, color: { mode: 'thresholds' } })
  const options: Json<StatOptions> = {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    colorMode: 'value',
    graphMode: 'area',
    justifyMode: 'auto',
    orientation: 'auto',
    percentChangeColorMode: 'standard',
    showPercentChange: false,
    textMode: 'value',
    wideLayout: true,
  }
  return { width: facts.width, height: 4, body: { ...body, type: 'stat', options: { ...options } } }
}

/** Lines over time. `isStacked`: their sum matters as well. */
export function lines(facts: Facts & { readonly isStacked?: boolean }): Panel {
  const { isStacked = false, limits, width } = facts
  const custom: Json<LinesConfig> = {
    drawStyle: 'line',
    lineInterpolation: 'linear',
    lineWidth: 1,
    fillOpacity: isStacked ? 30 : 8,
    showPoints: 'never',
    spanNulls: false,
    stacking: { mode: isStacked ? 'normal' : 'none', group: 'A' },
    thresholdsStyle: { mode: limits ? 'dashed' : 'off' },
  }
  const body = bodyOf(facts, { custom: { ...custom }, color: { mode: 'palette-classic' } })
  const options: Json<LinesOptions> = {
    legend: {
      displayMode: 'table',
      placement: 'bottom',
      showLegend: true,
      calcs: ['lastNotNull', 'max'],
      sortBy: 'Last *',
      sortDesc: true,
    },
    tooltip: { mode: 'multi', sort: 'desc' },
  }
  return { width, height: 8, body: { ...body, type: 'timeseries', options: { ...options } } }
}

/** The states of several things over time, a row for each. */
export function timeline(facts: Facts & { readonly mappings: readonly Mapping[] }): Panel {
  const custom: Json<TimelineConfig> = { fillOpacity: 80, lineWidth: 0 }
  const body = bodyOf(facts, {
    custom: { ...custom },
    color: { mode: 'thresholds' },
    mappings: [
      {
        type: 'value',
        options: Object.fromEntries(
          facts.mappings.map(([value, text, color], index) => [value, { text, color, index }]),
        ),
      },
    ],
  })
  const options: Json<TimelineOptions> = {
    alignValue: 'left',
    mergeValues: true,
    rowHeight: 0.85,
    showValue: 'auto',
    legend: { calcs: [], displayMode: 'list', placement: 'bottom', showLegend: false },
    tooltip: { mode: 'single', sort: 'none' },
  }
  return {
    width: facts.width,
    height: 8,
    body: { ...body, type: 'state-timeline', options: { ...options } },
  }
}

/** A column of a table: the name of a label, or `Value #A` of a query, with its title. */
export interface Column {
  readonly field: string
  readonly title: string
  /** Absent: a text. */
  readonly unit?: string
  readonly limits?: readonly Limit[]
}

/** A table of the labels and values of now, a row for each combination of labels. */
export function table(
  facts: Facts & { readonly columns: readonly Column[]; readonly height: number },
): Panel {
  const { columns, width, height } = facts
  const custom: Json<Partial<TableConfig>> = { align: 'auto' }
  const options: Json<TableOptions> = { cellHeight: 'sm', frameIndex: 0, showHeader: true }
  const body = bodyOf(facts, { custom: { ...custom }, color: { mode: 'thresholds' } })
  const named = Object.fromEntries(columns.map(({ field, title }) => [field, title]))
  const overrides = columns.flatMap(({ title, unit, limits }) =>
    unit === undefined ? [] : [{ matcher: byName(title), properties: columnOf(unit, limits) }],
  )
  return {
    width,
    height,
    body: {
      ...body,
      type: 'table',
      targets: body.targets.map((target) => ({
        ...target,
        format: 'table',
        instant: true,
        range: false,
      })),
      fieldConfig: { ...body.fieldConfig, overrides },
      options: { ...options },
      transformations: [
        { id: 'merge', options: {} },
        { id: 'filterFieldsByName', options: { include: { names: Object.keys(named) } } },
        {
          id: 'organize',
          options: {
            excludeByName: {},
            indexByName: Object.fromEntries(columns.map(({ field }, index) => [field, index])),
            renameByName: named,
          },
        },
      ],
    },
  }
}

function byName(options: string) {
  return { id: 'byName', options }
}

function columnOf(unit: string, limits: readonly Limit[] | undefined) {
  const properties: { id: string; value: unknown }[] = [{ id: 'unit', value: unit }]
  if (!limits) return properties
  const colored = { id: 'custom.cellOptions', value: { type: 'color-text' } }
  return [...properties, { id: 'thresholds', value: thresholds(limits) }, colored]
}

/** A panel as all kinds have it. `display`: the parts of the field's options that are of one kind. */
function bodyOf(
  { title, description, unit, queries, limits = [] }: Facts,
  display: Json<grafana.FieldConfig>,
) {
  return {
    title,
    description,
    datasource,
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource,
      editorMode: 'code',
      expr,
      legendFormat: legend,
      instant: false,
      range: true,
    })),
    fieldConfig: {
      defaults: { unit, min: 0, mappings: [], thresholds: thresholds(limits), ...display },
      overrides: [],
    },
  } satisfies Partial<PanelBody>
}

/** Green below the first limit. */
function thresholds(limits: readonly Limit[]): Json<grafana.ThresholdsConfig> {
  const steps = limits.map(([value, color]) => ({ color, value }))
  return { mode: 'absolute', steps: [{ color: 'green', value: null }, ...steps] }
}
