import { expect, test } from 'vitest'

import { sampleMs } from '../../src/admin/processes/pulse.ts'
import { Pulse, joinSamples } from '../../src/admin/processes/pulse.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import type { AdminGateway } from './admin-gateway.ts'
import { follow } from './live-client.ts'
import { call, startReplica } from './replicas.ts'

interface Sample {
  readonly at: string
  readonly calls: number
}

const fields = `at processes calls failures clientErrors rateLimited clientsGone firstOutputP50 firstOutputP95
  durationP50 durationP95 inputTokens outputTokens cost unpriced inFlight`

test('the pulse tells the errors of clients from failures, and has tokens, costs and percentiles', () => {
  const pulse = new Pulse()
  pulse.roll(0, 0)
  const ended = {
    status: 200,
    end: 'complete',
    durationMs: 90,
    firstOutputMs: 30,
    inputTokens: 3,
    outputTokens: 5,
    costNano: 7,
  } as const
  for (let times = 0; times < 98; times++) pulse.count(ended)
  pulse.count({ ...ended, status: 429, costNano: 0, firstOutputMs: undefined })
  pulse.count({ ...ended, status: 404, costNano: undefined, firstOutputMs: undefined })
  pulse.count({ ...ended, status: 502, durationMs: 700_000, firstOutputMs: undefined })
  pulse.count({ ...ended, end: 'client_gone' })
  expect(pulse.roll(sampleMs, 4)).toEqual({
    at: 0,
    inFlight: 4,
    sums: {
      calls: 102,
      rateLimited: 1,
      clientError: 1,
      serverError: 1,
      clientGone: 1,
      inputTokens: 306,
      outputTokens: 510,
      costNano: 100 * 7,
      unpriced: 1,
      first2: 99,
      duration3: 101,
      duration24: 1,
    },
  })
  expect(pulse.roll(2 * sampleMs, 0)?.sums).toEqual({})
})

test('longer samples have the calls of the shorter ones, and end where they end', () => {
  const short = Array.from({ length: 14 }, (_, index) => ({
    at: index * sampleMs,
    inFlight: index,
    processes: index === 3 ? 1 : 2,
    sums: { calls: index },
  }))
  const joined = joinSamples(short, 12 * sampleMs)
  expect(joined).toEqual([
    { at: -10 * sampleMs, inFlight: 1, processes: 2, sums: { calls: 1 } },
    { at: 2 * sampleMs, inFlight: 13, processes: 1, sums: { calls: 90 } },
  ])
})

test('a subscriber gets the pulse of all processes, as the query answers it', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  await using one = await startReplica(store, sandbox.url)
  await using other = await startReplica(store, sandbox.url)
  using following = follow(one.adminUrl, one.token('viewer'), ['PULSE'])
  const load = async (gateway: AdminGateway, status: number, model: string) =>
    expect((await call(gateway, model)).status).toBe(status)
  const isDone = () => following.events.filter(({ processes }) => processes === 2).length >= 3
  for (let turn = 0; !isDone() && turn < 300; turn++) {
    await load(one, 200, 'sandbox/echo')
    await load(other, 422, 'sandbox/status=422')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await until(async () => {
    const query = `{ pulse(minutes: 2) { ${fields} } whole: pulse(minutes: 2, step: 120) { ${fields} } }`
    const { data, errors } = await one.graph<{ pulse: Sample[]; whole: Sample[] }>(query)
    expect(errors).toEqual([])
    const sum = data.pulse.reduce((total, { calls }) => total + calls, 0)
    expect(data.whole).toHaveLength(1)
    expect(data.whole[0]).toMatchObject({ calls: sum, failures: 0 })
    const shown = new Map(data.pulse.map(({ at, calls }) => [at, calls]))
    const told = following.events.filter(({ at }) => at !== undefined && shown.has(at))
    for (const { at, calls } of told) expect([at, calls]).toEqual([at, shown.get(at!)])
    return told.length >= 3 && told.some(({ calls = 0 }) => calls > 0)
  })
  for (const step of [0, 7, 605])
    expect((await one.graph(`{ pulse(step: ${step}) { at } }`)).errors).toHaveLength(1)
})
