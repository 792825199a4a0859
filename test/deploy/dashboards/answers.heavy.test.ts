import { expect, test, vi } from 'vitest'

import type { Config } from '../../../src/configuration/config.generated.ts'
import { startSandbox } from '../../../src/sandbox/index.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { until } from '../../../src/testing/until.ts'
import { type Prometheus, startPrometheus } from '../../telemetry/metrics/prometheus.ts'
import { type MetricsStage, key, metricsStage } from '../../telemetry/metrics/stage.ts'
import { type Placed, expressionsOf, readDashboard, substituted } from './grafana.ts'
import { readRules, rulesFile } from './rules.ts'

// Prometheus begins to scrape about five seconds after its start.
vi.setConfig({ testTimeout: 90_000 })

const overflow = 'no metric of this walk has 500 series'

/** Expressions without an answer here, and why. */
const unanswered: Readonly<Record<string, string>> = {
  'panel "Series beyond the limit", A': overflow,
  'alert DragomanSeriesOverflow': overflow,
  'alert DragomanAccountSilent': 'no client of this walk waits for ten seconds',
}

const dashboard = readDashboard()
const everything = {
  job: ['dragoman'],
  instance: ['$__all'],
  account: ['$__all'],
  model: ['$__all'],
}
const { recordings, alerts } = readRules()
const rules: readonly Placed[] = [
  ...recordings.map(({ record }) => ({ place: `rule ${record}`, expr: record, isInstant: false })),
  ...alerts.map(({ alert, expr }) => ({
    place: `alert ${alert}`,
    expr: withoutLimits(expr),
    isInstant: false,
  })),
]

const prices = { 'sandbox/words=4': { rates: { input: '1', output: '2' } } }

test('a real Prometheus answers every expression of the dashboard and of the rules', async () => {
  await using sandbox = await startSandbox()
  const store = breakable(openMemoryStore())
  const config: Config = {
    accounts: accountsAt(sandbox.url),
    prices,
    keys: [{ id: 'test', secret: key, team: 'red' }],
    teams: [{ id: 'red' }],
    aliases: { spare: { model: 'down', fallbacks: [{ on: ['unavailable'], model: words }] } },
    telemetry: { metrics: { by: ['key', 'team'] } },
  }
  await using stage = await metricsStage(config, store)
  await using prometheus = await startPrometheus({
    targets: [new URL(stage.adminUrl).host],
    rules: rulesFile,
  })
  // Rates are those between scrapes: the second time has what the first one began.
  await walk(stage, store)
  expect(await prometheus.scraped()).toBe('')
  await walk(stage, store)

  const all = expressionsOf(dashboard).map((one) => ({
    ...one,
    expr: substituted(one.expr, dashboard, everything),
  }))
  const open = new Set([...all, ...rules])
  await until(async () => {
    for (const one of open) if (await isAnswered(prometheus, one)) open.delete(one)
    return open.size <= Object.keys(unanswered).length
  }, 20_000).catch(() => {})
  expect(Array.from(open, ({ place }) => place).toSorted()).toEqual(
    Object.keys(unanswered).toSorted(),
  )

  // With single values chosen, each is still an expression.
  const chosen = {
    job: ['dragoman'],
    instance: [new URL(stage.adminUrl).host],
    account: ['good', 'bad'],
    model: ['sandbox/words=4', 'gpt-*'],
  }
  for (const { expr } of expressionsOf(dashboard))
    await prometheus.query(substituted(expr, dashboard, chosen))
  const one = `dragoman_build_info{instance=~"$instance"}`
  expect(await prometheus.query(substituted(one, dashboard, chosen))).toHaveLength(1)
})

/** Whether an expression has a series with a number. Rejects for one that is none. */
async function isAnswered(prometheus: Prometheus, { expr, isInstant }: Placed): Promise<boolean> {
  const isNumber = (text: string) => !Number.isNaN(Number(text))
  if (isInstant) return (await prometheus.query(expr)).some(({ value }) => isNumber(value[1]))
  return (await prometheus.queryRange(expr)).some(({ values }) =>
    values.some(([, value]) => isNumber(value)),
  )
}

/** Comparisons that answer 0 in place of nothing: whether an alert has its data, although it is silent. */
function withoutLimits(expr: string): string {
  return expr.replaceAll(/\s(==|>=|<=|>|<)\s/g, ' $1 bool ')
}

const words = 'sandbox/words=4'

function accountsAt(baseUrl: string) {
  const account = { provider: 'sandbox', baseUrl, apiKey: 'sandbox-key-a' } as const
  return [
    {
      ...account,
      id: 'good',
      maxConcurrent: 100,
      models: { [words]: words, think: 'sandbox/think', cut: 'sandbox/cut=4', unsure: words },
    },
    { ...account, id: 'bad', models: { unsure: 'sandbox/status=500', down: 'sandbox/status=500' } },
    {
      ...account,
      id: 'busy',
      apiKey: 'sandbox-key-b',
      models: { busy: 'sandbox/limit=model+retry-after=60' },
    },
    { ...account, id: 'expired', apiKey: 'no-key', models: ['refused'] },
  ].map((one) => ({ ...one, priority: one.id === 'good' ? 1 : 0 }))
}

/** Calls of all kinds: served, failed over, refused, broken, chained, by a fallback; a job; a reload; a store that is away. */
async function walk(stage: MetricsStage, store: ReturnType<typeof breakable>): Promise<void> {
  const path = '/v1/chat/completions'
  const messages = [{ role: 'user', content: 'hi' }]
  const chat = (model: string) => ({ model, messages })
  const streamed = (model: string) => ({
    ...chat(model),
    stream: true,
    stream_options: { include_usage: true },
  })
  expect(await stage.call(path, chat(words))).toBe(200)
  expect(await stage.call(path, streamed(words))).toBe(200)
  expect(await stage.call(path, chat('unsure'))).toBe(200)
  // The stream breaks behind its status.
  expect(await stage.call(path, streamed('cut'))).toBe(200)
  for (let times = 0; times < 6; times++)
    expect(await stage.call(path, chat('down'))).toBeGreaterThanOrEqual(500)
  expect(await stage.call(path, chat('spare'))).toBe(200)
  for (const model of ['refused', 'busy'])
    expect(await stage.call(path, chat(model))).toBeGreaterThanOrEqual(400)

  const made = await stage.ask('/v1/responses', { model: words, input: 'hi' })
  const { id } = (await made.json()) as { id: string }
  const next = { model: words, input: 'more', previous_response_id: id }
  expect(await stage.call('/v1/responses', next)).toBe(200)
  store.broken.reads = true
  expect(await stage.call('/v1/responses', { ...next, previous_response_id: 'resp_1' })).toBe(503)
  store.broken.reads = false

  const speech = { model: words, input: 'hi', voice: 'alloy' }
  expect(await stage.call('/v1/audio/speech', speech)).toBe(200)
  const created = await stage.ask('/v1/videos', { model: words, prompt: 'a cat' })
  const job = (await created.json()) as { id: string }
  expect(created.status).toBe(200)
  expect(await stage.call(`/v1/videos/${job.id}`)).toBe(200)
  stage.metrics.noteReload(false)
}
