import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { requestMetrics, stateMetrics } from '../../src/telemetry/metrics/catalog.ts'
import { sampleName } from '../../src/telemetry/metrics/definition.ts'
import { openPage, repository } from './pages.ts'

const page = openPage('docs/incidents.md')

/** The cells of the table of incidents. */
const rows = page
  .section('What breaks')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| incident'))
  .map((line) => line.split(' | '))

const codesIn = (text = '') => Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code)

/** Some lines are put together of two texts. */
const writes = (message: string) =>
  source.includes(message) ||
  message.split(/[:;] /).every((part) => part === '...' || source.includes(part))

const source = ['src', 'plugins']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: repository }))
  .map((path) => readFileSync(join(repository, path), 'utf8'))
  .join('\n')

test('the lines of the log that the page names are those that the gateway writes', () => {
  const messages = rows.flatMap(([, , log]) => codesIn(log)).filter((code) => code.includes(' '))
  const lost = codesIn(page.section('A full disk')).filter((code) =>
    code.startsWith('binding lost'),
  )
  expect(messages.length + lost.length).toBeGreaterThan(7)
  const unknown = [...messages, ...lost].filter((message) => !writes(message))
  expect(unknown).toEqual([])
})

test('the metrics that the page names are those of the gateway', () => {
  const known = Object.values({ ...requestMetrics, ...stateMetrics }).map((one) => sampleName(one))
  const named = rows
    .flatMap(([, , , metric]) => codesIn(metric))
    .filter((code) => code.startsWith('dragoman_'))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !known.includes(name))).toEqual([])
})

test('each incident leads to a runbook or a section of the page', () => {
  expect(rows.length).toBeGreaterThan(5)
  for (const cells of rows) expect(cells.at(-1)).toMatch(/\((?:runbooks\.md)?#[a-z-]+\)/)
})
