import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { unknownNames } from './promql.ts'
import { readAlertTests, readRules, recordedSeries } from './rules.ts'

const { recordings, alerts } = readRules()

/** Prometheus makes these itself. */
const byPrometheus = new Map([['up', []]])

test('each alert has a test in which it fires, and one in which it is silent', () => {
  const expected = (wanted: (count: number) => boolean) =>
    new Set(
      readAlertTests().flatMap((one) =>
        one.alert_rule_test
          .filter(({ exp_alerts }) => wanted(exp_alerts.length))
          .map(({ alertname }) => alertname),
      ),
    )
  const names = alerts.map(({ alert }) => alert)
  expect([...expected((count) => count > 0)].toSorted()).toEqual(names.toSorted())
  expect([...expected((count) => count === 0)].toSorted()).toEqual(names.toSorted())
})

test('the rules use only metrics and labels of the gateway', () => {
  const others = new Map([...byPrometheus, ...recordedSeries()])
  const faults = [...recordings, ...alerts].flatMap(({ expr }) => unknownNames(expr, others))
  expect(faults).toEqual([])
})

test('each recording rule is used by an alert or another rule', () => {
  const unused = recordings.filter(
    ({ record }) => ![...recordings, ...alerts].some(({ expr }) => expr.includes(record)),
  )
  expect(unused.map(({ record }) => record)).toEqual([])
})

describe.each(alerts)('$alert', ({ alert, labels, annotations, ...rule }) => {
  test('waits, has a severity, says what happened, and leads to its runbook', () => {
    expect(alert).toMatch(/^Dragoman[A-Z]/)
    expect(rule.for).toMatch(/^\d+[smh]$/)
    expect(labels?.['severity']).toMatch(/^(?:critical|warning|info)$/)
    expect(annotations?.['summary']?.length).toBeGreaterThan(20)
    expect(annotations?.['description']?.length).toBeGreaterThan(40)
    const { repository } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
    ) as { repository: { url: string } }
    const base = repository.url.replace(/^git\+|\.git$/g, '')
    expect(annotations?.['runbook_url']).toBe(
      `${base}/blob/main/docs/runbooks.md#${alert.toLowerCase()}`,
    )
  })
})
