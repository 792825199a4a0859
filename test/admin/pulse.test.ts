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
  readonly processes: number
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
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  await using one = await startReplica(store, sandbox.url, { now })
  await using other = await startReplica(store, sandbox.url, { now })
  using following = follow(one.adminUrl, one.token('viewer'), ['PULSE'])
  const load = async (gateway: AdminGateway, status: number, model: string) =>
    expect((await call(gateway, model)).status).toBe(status)
  const ask = async () => {
    const query = `{ pulse(minutes: 2) { ${fields} } whole: pulse(minutes: 2, step: 120) { ${fields} } }`
    const { data, errors } = await one.graph<{ pulse: Sample[]; whole: Sample[] }>(query)
    expect(errors).toEqual([])
    return data
  }
  for (let sample = 0; sample < 5; sample++) {
    await load(one, 200, 'sandbox/echo')
    await load(other, 422, 'sandbox/status=422')
    const begin = now() - (now() % sampleMs)
    aheadMs += sampleMs
    // A process ends its sample at the next turn of a timer.
    const isOver = ({ at, processes }: Sample) => processes === 2 && Date.parse(at) >= begin
    await until(async () => (await ask()).pulse.some(isOver), 30_000)
  }
  const told = () => following.events.filter(({ processes }) => processes === 2)
  await until(() => told().length >= 3, 30_000)
  const { pulse, whole } = await ask()
  const sum = pulse.reduce((total, { calls }) => total + calls, 0)
  expect(whole).toHaveLength(1)
  expect(whole[0]).toMatchObject({ calls: sum, failures: 0 })
  const shown = new Map(pulse.map(({ at, calls }) => [at, calls]))
  for (const { at, calls } of told()) expect([at, shown.get(at!)]).toEqual([at, calls])
  expect(told().some(({ calls = 0 }) => calls > 0)).toBe(true)
  for (const step of [0, 7, 605])
    expect((await one.graph(`{ pulse(step: ${step}) { at } }`)).errors).toHaveLength(1)
})
