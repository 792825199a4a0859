import { describe, expect, test } from 'vitest'

import type { MetricDefinition } from '../../../src/telemetry/metrics/definition.ts'
import { count, createRegistry, observe } from '../../../src/telemetry/metrics/registry.ts'
import { formatFor } from '../../../plugins/metrics.ts'
import { serialize } from '../../../src/telemetry/metrics/serialize.ts'
import { mergeSnapshots } from '../../../src/telemetry/metrics/snapshot.ts'

const calls: MetricDefinition = {
  name: 'dragoman.calls',
  type: 'counter',
  unit: '{call}',
  help: 'Calls, by "kind" \\ way.',
  labels: ['dragoman.kind', 'http.route'],
}

const time: MetricDefinition = {
  name: 'work.duration',
  type: 'histogram',
  unit: 's',
  help: 'Time.',
  labels: [],
  buckets: [0.5, 1],
}

const gauge: MetricDefinition = {
  name: 'dragoman.state',
  type: 'gauge',
  unit: '{state}',
  help: 'State.',
  labels: ['dragoman.account'],
  merge: 'max',
}

function filled() {
  const registry = createRegistry()
  count(registry.family(calls).series('odd "name"\\\n', ''), 2)
  count(registry.family(calls).series('b', '/v1'))
  const series = registry.family(time).series()
  for (const value of [0.5, 0.75, 8]) observe(series, value)
  return registry
}

describe('the text of metrics', () => {
  test('of Prometheus', async () => {
    expect(await serialize(filled().snapshot(), [calls, time, gauge], 'prometheus')).toBe(
      [
        '# HELP dragoman_calls_total Calls, by "kind" \\ way.',
        '# TYPE dragoman_calls_total counter',
        'dragoman_calls_total{kind="odd \\"name\\"\\\\\\n"} 2',
        'dragoman_calls_total{kind="b",http_route="/v1"} 1',
        '# HELP work_duration_seconds Time.',
        '# TYPE work_duration_seconds histogram',
        'work_duration_seconds_bucket{le="0.5"} 1',
        'work_duration_seconds_bucket{le="1"} 2',
        'work_duration_seconds_bucket{le="+Inf"} 3',
        'work_duration_seconds_sum 9.25',
        'work_duration_seconds_count 3',
        '',
      ].join('\n'),
    )
  })

  test('of OpenMetrics', async () => {
    expect(await serialize(filled().snapshot(), [calls, time], 'openmetrics')).toBe(
      [
        '# HELP dragoman_calls Calls, by \\"kind\\" \\\\ way.',
        '# TYPE dragoman_calls counter',
        'dragoman_calls_total{kind="odd \\"name\\"\\\\\\n"} 2',
        'dragoman_calls_total{kind="b",http_route="/v1"} 1',
        '# HELP work_duration_seconds Time.',
        '# TYPE work_duration_seconds histogram',
        '# UNIT work_duration_seconds seconds',
        'work_duration_seconds_bucket{le="0.5"} 1',
        'work_duration_seconds_bucket{le="1.0"} 2',
        'work_duration_seconds_bucket{le="+Inf"} 3',
        'work_duration_seconds_sum 9.25',
        'work_duration_seconds_count 3',
        '# EOF',
        '',
      ].join('\n'),
    )
  })

  test.each([
    [undefined, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    ['application/openmetrics-text', 'openmetrics'],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.8', 'prometheus'],
    [
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
      'openmetrics',
    ],
    ['application/openmetrics-text;q=0', 'prometheus'],
    [';;q=,,application/openmetrics-text;q=many', 'prometheus'],
  ])('in the format that "%s" asks for', (accept, format) => {
    expect(formatFor(accept)).toBe(format)
  })

  test('of many series leaves others their turns', async () => {
    const registry = createRegistry(30_000)
    const family = registry.family({ ...time, labels: ['dragoman.kind'] })
    for (let kind = 0; kind < 30_000; kind++) observe(family.series(String(kind)), 1)
    let turns = 0
    const immediate = () => {
      turns++
      next = setImmediate(immediate)
    }
    let next = setImmediate(immediate)
    await serialize(registry.snapshot(), [{ ...time, labels: ['dragoman.kind'] }], 'prometheus')
    clearImmediate(next)
    expect(turns).toBeGreaterThan(1)
  })
})

describe('a registry', () => {
  test('holds no more series than its limit: the others are one', async () => {
    const registry = createRegistry(3)
    const family = registry.family(calls)
    for (let kind = 0; kind < 10; kind++) count(family.series(String(kind), ''))
    expect(await serialize(registry.snapshot(), [calls], 'prometheus')).toContain(
      'dragoman_calls_total{kind="2"} 1\ndragoman_calls_total{otel_metric_overflow="true"} 7\n',
    )
    expect(family.series('1', '')).toBe(family.series('1', ''))
  })

  test('ignores what is no amount', async () => {
    const registry = createRegistry()
    for (const value of [Number.NaN, -1]) observe(registry.family(time).series(), value)
    expect(await serialize(registry.snapshot(), [time], 'prometheus')).toContain('_count 0')
  })
})

test('values of several processes become one', async () => {
  const all = [calls, time, gauge]
  const definitions = new Map(all.map((metric) => [metric.name, metric]))
  const states = [1, 2].map((value) => new Map([[gauge.name, [[['a'], [value]] as const]]]))
  const merged = mergeSnapshots([filled().snapshot(), filled().snapshot(), ...states], definitions)
  const text = await serialize(merged, all, 'prometheus')
  expect(text).toContain('dragoman_calls_total{kind="b",http_route="/v1"} 2\n')
  expect(text).toContain('work_duration_seconds_bucket{le="1"} 4\n')
  expect(text).toContain('dragoman_state{account="a"} 2\n')
})
