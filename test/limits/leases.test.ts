import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { QuotaSetting } from '../../src/contract/quota.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Meter, MeterLimit } from '../../src/stores/meter.ts'
import { until } from '../../src/testing/until.ts'
import {
  type LeasingCall,
  type LeasingProcess,
  leasingProcess,
  limitsOf,
  randomOf,
  subject,
} from './leasing-process.ts'
import { limitStage } from './stage.ts'

const daily = (amount: number): QuotaSetting => ({ kind: 'tokens', amount, window: 'day' })

const quotas: readonly QuotaSetting[] = [
  { kind: 'concurrent', amount: 5_000 },
  { kind: 'requests', amount: 1_000_000, window: '1m' },
  daily(10_000_000),
]

const stateOf = async (store: Meter, limits: readonly MeterLimit[]) =>
  await store.read(subject, limits)

/** Has calls of a process begin and end until they are admitted by a lease. Returns what they have used. */
async function makeBusy(one: ReturnType<typeof leasingProcess>, tokens = 10): Promise<number> {
  let used = 0
  for (let call = 0; call < 1_000; call++) {
    const begun = (await one.begin(tokens))!
    one.end(begun, tokens)
    used += tokens
    if (begun.isLeased) return used
    if (call % 20 === 0) await vi.advanceTimersByTimeAsync(20)
  }
  throw new Error('No call was leased.')
}

describe('a lease', () => {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date', 'performance'],
      now: Date.UTC(2026, 5, 1, 12),
    })
  })
  afterEach(() => void vi.useRealTimers())

  test('admits the calls of a busy key: the store is asked less than once for ten of them, and states are exact', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, quotas)
    let [used, leased] = [0, 0]
    for (let call = 0; call < 2_000; call++) {
      const begun = (await one.begin(100))!
      if (begun.isLeased) {
        leased++
        const [concurrent, requests, tokens] = begun.states
        expect(concurrent).toMatchObject({ held: 1, remaining: 4_999 })
        expect(tokens).toEqual({
          spent: used,
          held: 100,
          remaining: 10_000_000 - used - 100,
          resetsAt: Date.UTC(2026, 5, 2),
        })
        // It flows back with 17 in a millisecond.
        expect(requests!.remaining).toBeGreaterThan(1_000_000 - 300)
        expect(requests!.remaining).toBeLessThan(1_000_000)
      }
      one.end(begun, call % 150)
      used += call % 150
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(leased).toBeGreaterThan(1_700)
    expect(one.counted.operations).toBeLessThan(2_000 / 10 + 2 * (2_000 - leased))
    expect(await one.read()).toMatchObject([{ held: 0 }, {}, { spent: used, held: 0 }])
    await one.calls.close()
    expect(await stateOf(store, one.asked())).toMatchObject([{ held: 0 }, {}, { spent: used }])
  })

  test('holds nothing for calls that have too many limits for it', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      ...daily(1_000_000),
      models: [`model-${index}`],
    }))
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, many)
    for (let call = 0; call < 200; call++) {
      one.end((await one.begin(10))!, 10)
      if (call % 20 === 0) await vi.advanceTimersByTimeAsync(20)
    }
    await vi.advanceTimersByTimeAsync(20)
    for (const { held } of await stateOf(store, one.asked())) expect(held).toBe(0)
  })

  test('is no reason to refuse a call of the same process', async () => {
    const one = leasingProcess(openMemoryStore().meter(), [daily(100_000)])
    const used = await makeBusy(one)
    expect(one.counted.operations).toBeGreaterThan(0)
    const large = (await one.begin(100_000 - used))!
    expect(large).toMatchObject({ isLeased: false, states: [{ remaining: 0 }] })
    one.end(large, 1)
    await one.calls.close()
  })

  test.each([
    ['calls that a limit refuses all the same', (one: LeasingProcess) => one.begin(20_000_000)],
    ['a key that asks for its limits', (one: LeasingProcess) => one.read()],
  ])('is not taken from other calls by %s', async (_, act) => {
    const one = leasingProcess(openMemoryStore().meter(), [
      { ...daily(10_000_000), strict: true },
      { kind: 'requests', amount: 1_000_000, window: '1m' },
    ])
    await makeBusy(one)
    let leased = 0
    for (let call = 0; call < 100; call++) {
      await act(one)
      const begun = (await one.begin(10))!
      if (begun.isLeased) leased++
      one.end(begun, 10)
      await vi.advanceTimersByTimeAsync(2)
    }
    expect(leased).toBeGreaterThan(90)
    await one.calls.close()
  })

  test('goes back when its process is idle, but for calls in flight', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, quotas)
    const used = await makeBusy(one)
    const slow = (await one.begin(40))!
    expect(slow.isLeased).toBe(true)
    await vi.advanceTimersByTimeAsync(500)
    const idle = [{ held: 1 }, { spent: 0 }, { spent: used, held: 40 }]
    expect(await stateOf(store, one.asked())).toMatchObject(idle)
    // It is renewed for them.
    await vi.advanceTimersByTimeAsync(300_000)
    expect(await stateOf(store, one.asked())).toMatchObject(idle)
    one.end(slow, 7)
    await vi.advanceTimersByTimeAsync(200)
    const over = [{ held: 0 }, { spent: 0 }, { spent: used + 7, held: 0 }]
    expect(await stateOf(store, one.asked())).toMatchObject(over)
    await one.calls.close()
  })

  test('of an amount that was lowered admits no call, and of one with an extra more', async () => {
    const one = leasingProcess(openMemoryStore().meter(), [daily(100_000)])
    const used = await makeBusy(one)
    one.set.replace('FILE', limitsOf([daily(used)]))
    expect(await one.begin(1)).toBeUndefined()
    const extra = { amount: 50, until: Date.now() + 60_000 }
    one.set.replaceExtras(new Map([[one.set.all[0]!.id, extra]]))
    expect(await one.begin(40)).toMatchObject({ states: [{ remaining: 10 }] })
    await one.calls.close()
  })

  test('that another process has reset, admits and charges what follows', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, [daily(100_000)])
    await makeBusy(one)
    await vi.advanceTimersByTimeAsync(100)
    await store.reset(subject, one.asked()[0]!)
    let used = 0
    for (let call = 0; call < 50; call++) {
      one.end((await one.begin(10))!, 10)
      used += 10
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(await one.read()).toMatchObject([{ spent: used, held: 0 }])
    await one.calls.close()
  })

  test('charges calls in the period in which they began', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, [daily(1_000_000)])
    vi.setSystemTime(Date.UTC(2026, 5, 1, 23, 59, 59))
    let today = await makeBusy(one)
    const [limit] = one.asked()
    const begun: LeasingCall[] = []
    for (let call = 0; call < 60; call++) begun.push((await one.begin(10))!)
    expect(begun.some(({ isLeased }) => isLeased)).toBe(true)
    vi.setSystemTime(Date.UTC(2026, 5, 2))
    const tomorrow = await makeBusy(one)
    for (const call of begun) one.end(call, 7)
    today += 60 * 7
    await one.calls.close()
    expect(await stateOf(store, [limit!])).toMatchObject([{ spent: today, held: 0 }])
    expect(await stateOf(store, one.asked())).toMatchObject([{ spent: tomorrow, held: 0 }])
  })

  test('of a process that was killed is charged: nothing that calls have used is given back', async () => {
    const store = openMemoryStore().meter()
    const killed = leasingProcess(store, [daily(1_000_000), { kind: 'concurrent', amount: 5_000 }])
    let used = await makeBusy(killed, 100)
    for (let call = 0; call < 500; call++) {
      killed.end((await killed.begin(100))!, 90)
      used += 90
      if (call % 5 === 0) await vi.advanceTimersByTimeAsync(1)
    }
    const [before] = await stateOf(store, killed.asked())
    expect(before!.held).toBeGreaterThan(0)
    killed.counted.fails = () => 'before'
    await vi.advanceTimersByTimeAsync(130_000)
    const [state, atOnce] = await stateOf(store, killed.asked())
    expect([state!.held, atOnce!.held]).toEqual([0, 0])
    expect(state!.spent).toBeGreaterThanOrEqual(used)
    expect(state!.spent).toBe(before!.spent + before!.held)
  })

  test('is charged at once what calls have used beyond what they took', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, [daily(1_000_000)])
    const used = await makeBusy(one)
    const begun = (await one.begin(10))!
    expect(begun.isLeased).toBe(true)
    one.end(begun, 50_000)
    await vi.advanceTimersByTimeAsync(0)
    expect(await stateOf(store, one.asked())).toMatchObject([{ spent: used + 50_000 }])
    await one.calls.close()
  })

  test('ends with its process: a call that is still in flight is charged what it has taken', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, [daily(1_000_000), { kind: 'concurrent', amount: 5_000 }])
    const used = await makeBusy(one)
    const late = (await one.begin(30))!
    expect(late.isLeased).toBe(true)
    await one.calls.close()
    const ended = [{ spent: used + 30, held: 0 }, { held: 0 }]
    expect(await stateOf(store, one.asked())).toMatchObject(ended)
    one.end(late, 90)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await stateOf(store, one.asked())).toMatchObject(ended)
  })

  test('ends with its process while the store is away: its settlement waits in a file', async () => {
    const one = leasingProcess(openMemoryStore().meter(), [daily(1_000_000)])
    await makeBusy(one)
    const late = (await one.begin(30))!
    expect(late.isLeased).toBe(true)
    one.counted.fails = () => 'before'
    one.end(late, 30)
    vi.useRealTimers()
    await one.calls.close()
    expect(one.calls.settlements.waiting).toBe(1)
  })

  test('goes on by the sum that this process knows while the store is away', async () => {
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, [daily(100_000)])
    let used = await makeBusy(one, 1)
    one.counted.fails = () => 'before'
    await vi.advanceTimersByTimeAsync(200)
    const flying: LeasingCall[] = []
    for (let call = 0; call < 1_000; call++) {
      const begun = await one.begin(500)
      if (!begun) break
      expect(begun.isLeased).toBe(false)
      if (call % 2) flying.push(begun)
      else {
        one.end(begun, 500)
        used += 500
        await vi.advanceTimersByTimeAsync(0)
      }
    }
    expect(used + flying.length * 500).toBeLessThanOrEqual(100_000 + 500)
    expect(used + flying.length * 500).toBeGreaterThan(90_000)
    one.counted.fails = () => undefined
    await one.calls.close()
  })
})

test.each([5, 6, 7])(
  'leases on a store that fails now and then are charged once, to the token (seed %i)',
  async (seed) => {
    const random = randomOf(seed)
    const store = openMemoryStore().meter()
    const one = leasingProcess(store, quotas)
    one.counted.fails = () => {
      const share = random()
      return share < 0.01 ? 'before' : share < 0.02 ? 'after' : undefined
    }
    const running: LeasingCall[] = []
    let [used, leased] = [0, 0]
    for (let call = 0; call < 3_000; call++) {
      const begun = await one.begin(100)
      if (begun) running.push(begun)
      if (begun?.isLeased) leased++
      if (running.length > 20) {
        one.end(running.splice(Math.floor(random() * running.length), 1)[0]!, call % 300)
        used += call % 300
      }
      if (call % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(leased).toBeGreaterThan(100)
    for (const begun of running) one.end(begun, 50)
    used += running.length * 50
    one.counted.fails = () => undefined
    await until(async () => (await one.read())[2]!.spent === used)
    await one.calls.close()
    expect(await stateOf(store, one.asked())).toMatchObject([
      { held: 0 },
      {},
      { spent: used, held: 0 },
    ])
  },
  30_000,
)

test('400 calls of a key by a socket are admitted by leases, seen by the key at once, and charged exactly', async () => {
  const store = openMemoryStore()
  const meter = store.meter()
  let operations = 0
  const counted = {
    ...meter,
    admit: (...ask: Parameters<Meter['admit']>) => (operations++, meter.admit(...ask)),
    settle: (...ask: Parameters<Meter['settle']>) => (operations++, meter.settle(...ask)),
    lease: (...ask: Parameters<Meter['lease']>) => (operations++, meter.lease(...ask)),
  }
  await using stage = await limitStage({
    store: { ...store, meter: () => counted },
    key: [
      { kind: 'requests', amount: 1_000_000, window: '1m' },
      { kind: 'requests', amount: 1_000_000, window: 'day' },
      { kind: 'cost', amount: 1_000, window: 'month' },
    ],
  })
  let served = 0
  const client = async () => {
    for (let call = 0; call < 25; call++) {
      const { status, headers } = await stage.chat('sandbox/echo', { max_tokens: 20 })
      expect(status).toBe(200)
      expect(Number(headers.get('x-ratelimit-remaining-requests'))).toBeLessThan(1_000_000)
      served++
    }
  }
  await Promise.all(Array.from({ length: 16 }, client))
  const [, requests, cost] = await stage.settled()
  expect(requests).toMatchObject({ spent: served, held: 0 })
  const before = Number(cost!.spent)
  await stage.chat('sandbox/echo', { max_tokens: 20 })
  const [, , after] = await stage.settled()
  expect((Number(after!.spent) - before) * served).toBeCloseTo(before, 9)
  expect(operations).toBeLessThan(500)
})
