import type * as grafana from '@grafana/schema'

import { accountRow } from './accounts.ts'
import { of } from './expressions.ts'
import type { Json } from './json.ts'
import { limitRow } from './limits.ts'
import { overview } from './overview.ts'
import { type Panel, datasource } from './panels.ts'
import { processRow } from './processes.ts'
import { requestRow } from './requests.ts'
import { storeRow } from './store.ts'
import { streamRow } from './streams.ts'
import { tokenRow } from './tokens.ts'
import { variables } from './variables.ts'

/** What matters most in a disturbance comes first. */
const rows = [overview, accountRow, requestRow, streamRow, tokenRow, limitRow, storeRow, processRow]

const columns = 24
const documents = 'https://github.com/dragoman-gateway/dragoman/blob/main/docs'

/** The dashboard in Grafana's classic JSON model, which Grafana 10.4 and later read. */
export const dashboard: Json<grafana.Dashboard> = {
  uid: 'dragoman',
  title: 'Dragoman',
  description:
    'Gateways of Dragoman: requests, accounts, streams, tokens, the store and processes.',
  tags: ['dragoman', 'llm'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  fiscalYearStartMonth: 0,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-1h', to: 'now' },
  timepicker: {},
  timezone: 'browser',
  weekStart: '',
  links: [link('Runbooks', `${documents}/runbooks.md`), link('Metrics', `${documents}/metrics.md`)],
  templating: { list: variables },
  annotations: {
    list: [
      moments('Starts', 'process_start_time_seconds', 'blue', 'started'),
      moments(
        'Reloads',
        'dragoman_config_last_reload_timestamp_seconds',
        'purple',
        'configuration',
      ),
    ],
  },
  panels: placed(),
}

/** The file of the dashboard, as `npm run generate` writes it. */
export function dashboardFile(): { path: string; text: string } {
  return {
    path: 'deploy/grafana/dragoman.json',
    text: `${JSON.stringify(dashboard, undefined, 2)}\n`,
  }
}

function link(title: string, url: string): Json<grafana.DashboardLink> {
  return {
    title,
    url,
    type: 'link',
    icon: 'doc',
    tooltip: '',
    tags: [],
    asDropdown: false,
    includeVars: false,
    keepTime: false,
    targetBlank: true,
  }
}

/** Marks at the times that a metric has as its value, in seconds. */
function moments(name: string, metric: string, iconColor: string, text: string) {
  return {
    name,
    datasource,
    enable: true,
    hide: false,
    iconColor,
    expr: `${of(metric)} * 1000`,
    useValueForTime: true,
    titleFormat: name,
    textFormat: `{{instance}} ${text}`,
    step: '60s',
  }
}

/** The rows, one below the other, each with its panels from left to right. */
function placed() {
  const panels: NonNullable<Json<grafana.Dashboard>['panels']> = []
  let y = 0
  let id = 0
  for (const { title, panels: own } of rows) {
    const gridPos = { h: 1, w: columns, x: 0, y }
    panels.push({ id: ++id, type: 'row', title, collapsed: false, gridPos, panels: [] })
    y++
    for (const line of linesOf(own)) {
      let x = 0
      for (const { width, height, body } of line) {
        panels.push({ id: ++id, ...body, gridPos: { h: height, w: width, x, y } })
        x += width
      }
      y += Math.max(...line.map(({ height }) => height))
    }
  }
  return panels
}

/** As many panels as fit next to each other. */
function linesOf(panels: readonly Panel[]): Panel[][] {
  const lines: Panel[][] = []
  let left = 0
  for (const panel of panels) {
    if (panel.width > left) {
      lines.push([])
      left = columns
    }
    lines.at(-1)?.push(panel)
    left -= panel.width
  }
  return lines
}
