import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'yaml'

/** The file of the rules. */
export const rulesFile = join(import.meta.dirname, '../../../deploy/prometheus/rules.yaml')

/** The tests of `promtool` for the alerts. */
export const alertTestsFile = join(import.meta.dirname, 'alerts.yaml')

interface Recording {
  readonly record: string
  readonly expr: string
}

/** An alert, as Prometheus reads it. */
export interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** The recording rules and the alerts. */
export function readRules(): { recordings: Recording[]; alerts: Alert[] } {
  const { groups } = parse(readFileSync(rulesFile, 'utf8')) as {
    groups: { rules: (Recording | Alert)[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  return {
    recordings: rules.filter((rule) => 'record' in rule),
    alerts: rules.filter((rule) => 'alert' in rule),
  }
}

/** A group of tests of `promtool`. */
interface AlertTest {
  readonly name: string
  readonly alert_rule_test: readonly {
    readonly alertname: string
    readonly exp_alerts: readonly unknown[]
  }[]
}

/** What the tests of `promtool` expect of each alert. */
export function readAlertTests(): readonly AlertTest[] {
  return (parse(readFileSync(alertTestsFile, 'utf8')) as { tests: AlertTest[] }).tests
}

/** The series that the recording rules make, with the labels by which they group. */
export function recordedSeries(): Map<string, readonly string[]> {
  return new Map(
    readRules().recordings.map(({ record, expr }) => {
      const [, labels = ''] = /\bby \(([^)]*)\)/.exec(expr) ?? []
      return [record, labels.split(', ').filter((label) => label !== 'le')]
    }),
  )
}
