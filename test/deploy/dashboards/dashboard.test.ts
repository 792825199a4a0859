import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { dashboardFile } from '../../../scripts/dashboard/dashboard.ts'
import { type Panel, expressionsOf, readDashboard, substituted } from './grafana.ts'
import { namesIn, seriesOfCatalog, unknownNames } from './promql.ts'

const dashboard = readDashboard()
const { panels } = dashboard
const shown = panels.filter(({ type }) => type !== 'row')

/** Prometheus makes these itself, of the alerts. */
const byPrometheus = new Map([
  ['ALERTS', ['alertname', 'alertstate', 'severity', 'account', 'gen_ai_request_model']],
])

test('the file is the one that `npm run generate` writes', () => {
  const { path, text } = dashboardFile()
  expect(readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')).toBe(text)
})

test('Grafana can import it: ids, places and the data source are as it expects', () => {
  expect(dashboard.uid).toBe('dragoman')
  expect(dashboard.schemaVersion).toBeGreaterThan(36)
  const ids = panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(overlaps(panels)).toEqual([])
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  const sources = [
    ...shown.flatMap(({ datasource, targets = [] }) => [
      datasource,
      ...targets.map((target) => target.datasource),
    ]),
    ...dashboard.templating.list
      .filter(({ type }) => type === 'query')
      .map((variable) => variable.datasource),
  ]
  for (const source of sources) expect(source).toEqual({ type: 'prometheus', uid: '${datasource}' })
  expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
    'datasource',
    'job',
    'instance',
    'account',
    'model',
  ])
})

test.each(shown)('the panel "$title" has a unit, a description and queries', (panel) => {
  expect(panel.fieldConfig?.defaults.unit).toBeTruthy()
  expect(panel.description?.length).toBeGreaterThan(30)
  const { targets = [] } = panel
  expect(targets.length).toBeGreaterThan(0)
  const references = targets.map(({ refId }) => refId)
  expect(new Set(references).size).toBe(references.length)
  if (panel.type !== 'table')
    for (const { legendFormat } of targets) expect(legendFormat).toBeTruthy()
})

test('titles are unique within a row, so that a runbook can name a panel', () => {
  const names: string[] = []
  let row = ''
  for (const { type, title } of panels) {
    if (type === 'row') row = title
    names.push(type === 'row' ? title : `${row}: ${title}`)
  }
  expect(new Set(names).size).toBe(names.length)
})

describe('the queries', () => {
  const expressions = expressionsOf(dashboard)

  test('use only metrics and labels of the gateway', () => {
    const faults = expressions.flatMap(({ place, expr }) =>
      unknownNames(expr, byPrometheus).map((name) => `${place}: ${name}`),
    )
    expect(faults).toEqual([])
  })

  test('choose gateways by the variables: other programs have metrics of these names', () => {
    const free = expressions.filter(
      ({ place, expr }) => !place.startsWith('variable') && !expr.includes('job=~"$job'),
    )
    expect(free.map(({ place }) => place)).toEqual([])
  })

  test('name in legends only labels that their series have', () => {
    const faults = shown.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) =>
        Array.from(legendFormat.matchAll(/\{\{(\w+)\}\}/g), ([, label = '']) => label)
          .filter((label) => /\bby \(/.test(expr) && !namesIn(expr).groupedBy.includes(label))
          .map((label) => `${title}: ${label}`),
      ),
    )
    expect(faults).toEqual([])
  })

  test('show every metric of the gateway', () => {
    const used = new Set(
      expressions.flatMap(({ expr }) => namesIn(expr).selectors.map(({ name }) => name)),
    )
    const families = new Set(Array.from(seriesOfCatalog.keys(), familyOf))
    const hidden = [...families].filter(
      (family) => ![...used].some((one) => familyOf(one) === family),
    )
    expect(hidden).toEqual([])
  })

  test('get the chosen values as matchers, whatever these contain', () => {
    const choices = {
      job: ['a'],
      instance: ['$__all'],
      account: ['$__all'],
      model: ['gpt-*', 'x.1'],
    }
    expect(
      substituted(
        'x{job=~"$job", i=~"$instance", m=~"$model"}[$__rate_interval]',
        dashboard,
        choices,
      ),
    ).toBe(String.raw`x{job=~"a", i=~".*", m=~"(gpt-\\*|x\\.1)"}[4s]`)
  })
})

describe('the checks of names', () => {
  test('find metrics and labels that do not exist', () => {
    const expr = 'sum by (colour) (rate(dragoman_jobs_gone{x="y"}[5m])) / dragoman_jobs{size="1"}'
    expect(unknownNames(expr, new Map())).toEqual([
      'dragoman_jobs_gone',
      'dragoman_jobs{size}',
      'colour',
    ])
  })

  test('take no text, function or word for a name', () => {
    const expr =
      'max by (account) (max_over_time(dragoman_account_available{account=~"a{1}[b] and (c)"}[5m])) or vector(0) > bool 1'
    expect(unknownNames(expr, new Map())).toEqual([])
  })
})

function familyOf(series: string): string {
  return seriesOfCatalog.has(series) ? series.replace(/_(?:bucket|sum|count)$/, '') : series
}

function overlaps(all: readonly Panel[]): string[] {
  return all.flatMap((one, index) =>
    all
      .slice(index + 1)
      .filter(
        ({ gridPos: { x, y, w, h } }) =>
          x < one.gridPos.x + one.gridPos.w &&
          one.gridPos.x < x + w &&
          y < one.gridPos.y + one.gridPos.h &&
          one.gridPos.y < y + h,
      )
      .map((other) => `${one.title} and ${other.title}`),
  )
}
