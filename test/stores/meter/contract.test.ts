import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import {
  type Meter,
  type MeterLease,
  type MeterLeasePart,
  type MeterLimit,
  greatestAmount,
} from '../../../src/stores/meter.ts'
import { openStore } from '../../../src/stores/open.ts'
import { type Store, StoreUnavailable } from '../../../src/stores/store.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { temporaryDirectory } from '../temporary.ts'
import { ask, budget, concurrent, rate } from './limits.ts'

type Row = readonly [name: string, check: (meter: Meter, store: Store) => Promise<void>]

const subject = 'key:a'

const rows: readonly Row[] = [
  [
    'a budget admits what fits beside the holds of others, and then says whether waiting helps',
    async (meter) => {
      const limit = budget(10)
      expect(await meter.admit(ask('1', limit, 6))).toEqual({
        admitted: true,
        states: [{ spent: 0, held: 6, remaining: 4, resetsAt: undefined }],
        exceeded: [],
      })
      expect(await meter.admit(ask('2', limit, 5))).toMatchObject({
        admitted: false,
        refusedBy: 0,
        why: 'held',
        states: [{ held: 6, remaining: 4 }],
      })
      expect(await charge(meter, '1', limit, 10)).toMatchObject([{ spent: 10, held: 0 }])
      expect(await meter.admit(ask('2', limit, 1))).toMatchObject({ admitted: false, why: 'spent' })
    },
  ],
  [
    'pitfall 2: a refused ask takes nothing of its other limits',
    async (meter) => {
      const limits = [rate(5), budget(100), concurrent(0)]
      const [first, ...more] = limits.map((limit) => ({ limit, amount: 1, floor: 1 }))
      const answer = await meter.admit(ask('1', first!.limit, 1, { more }))
      expect(answer).toMatchObject({ admitted: false, refusedBy: 2, why: 'concurrent' })
      expect(await meter.read(subject, limits)).toMatchObject([
        { spent: 0, remaining: 5 },
        { spent: 0, held: 0 },
        { held: 0 },
      ])
    },
  ],
  [
    'the last call takes the rest of a budget, unless the budget is strict',
    async (meter) => {
      expect(await meter.admit(ask('1', budget(10), 99))).toMatchObject({
        admitted: true,
        states: [{ held: 10, remaining: 0 }],
      })
      const strict = budget(10, { id: 'strict', strict: true })
      expect(await meter.admit(ask('2', strict, 11))).toMatchObject({ why: 'spent' })
      expect(await meter.admit(ask('3', strict, 10))).toMatchObject({ admitted: true })
      expect(await meter.admit(ask('4', strict, 1))).toMatchObject({ why: 'held' })
    },
  ],
  [
    'an amount of 0 refuses all, also what would take nothing',
    async (meter) => {
      const limits = [budget(0), rate(0), concurrent(0)]
      const answers = limits.flatMap((limit) =>
        [0, 1].map((amount) => meter.admit(ask('1', limit, amount))),
      )
      expect(await Promise.all(answers)).toMatchObject(
        ['spent', 'spent', 'rate', 'rate', 'concurrent', 'concurrent'].map((why) => ({ why })),
      )
    },
  ],
  [
    'another amount keeps what was spent',
    async (meter) => {
      await meter.admit(ask('1', budget(10), 8))
      await charge(meter, '1', budget(10), 8)
      expect(await meter.read(subject, [budget(20)])).toMatchObject([{ spent: 8, remaining: 12 }])
      expect(await meter.admit(ask('2', budget(5), 1))).toMatchObject({ why: 'spent' })
    },
  ],
  [
    'pitfall 20: a rate admits its amount at once, then tells when the next one may come',
    async (meter) => {
      const limit = rate(3, 600_000)
      const answers = await Promise.all(
        ['1', '2', '3', '4'].map((hold) => meter.admit(ask(hold, limit, 1))),
      )
      expect(answers.map(({ admitted }) => admitted)).toEqual([true, true, true, false])
      const { retryAfterMs, states } = answers[3] as Extract<(typeof answers)[0], { why: string }>
      expect(retryAfterMs).toBeGreaterThan(150_000)
      expect(retryAfterMs).toBeLessThanOrEqual(200_000)
      expect(states).toMatchObject([{ spent: 3, remaining: 0, resetsAt: expect.any(Number) }])
    },
  ],
  [
    'a call larger than a rate passes once all of it is there',
    async (meter) => {
      const limit = rate(10, 600_000)
      expect(await meter.admit(ask('1', limit, 11))).toMatchObject({ admitted: true })
      expect(await meter.admit(ask('2', limit, 11))).toMatchObject({ why: 'rate' })
    },
  ],
  [
    'a settlement corrects a rate, by a debt of one window at most',
    async (meter) => {
      const limit = rate(100, 600_000)
      await meter.admit(ask('1', limit, 90))
      expect(await charge(meter, '1', limit, 10)).toMatchObject([{ spent: 10, remaining: 90 }])
      await meter.admit(ask('2', limit, 50))
      expect(await charge(meter, '2', limit, 1e9)).toMatchObject([{ spent: 200, remaining: 0 }])
      expect(await meter.admit(ask('3', limit, 1))).toMatchObject({ why: 'rate' })
    },
  ],
  [
    'what a call did not use goes back',
    async (meter) => {
      const limits = [budget(10), rate(10, 600_000), concurrent(1)]
      const [first, ...more] = limits.map((limit) => ({ limit, amount: 1, floor: 1 }))
      await meter.admit(ask('1', first!.limit, 7, { more }))
      await meter.settle({ subject, hold: '1', charges: [] })
      expect(await meter.read(subject, limits)).toMatchObject([
        { spent: 0, held: 0, remaining: 10 },
        { spent: 0, remaining: 10 },
        { held: 0, remaining: 1 },
      ])
    },
  ],
  [
    'pitfall 17: a settlement counts once, however often it comes',
    async (meter) => {
      await meter.admit(ask('1', budget(100), 1))
      for (const _ of [1, 2, 3]) await charge(meter, '1', budget(100), 30)
      expect(await meter.read(subject, [budget(100)])).toMatchObject([{ spent: 30 }])
    },
  ],
  [
    'a settlement of a hold that may be unknown counts once too, and no later ask has the hold',
    async (meter) => {
      const end = { subject, hold: '1', charges: [{ limit: budget(100), amount: 30 }] }
      await meter.settle(end)
      expect(await meter.read(subject, [budget(100)])).toMatchObject([{ spent: 0 }])
      for (const _ of [1, 2]) await meter.settle({ ...end, unheld: true })
      expect(await meter.read(subject, [budget(100)])).toMatchObject([{ spent: 30 }])
      expect(await meter.admit(ask('1', budget(100), 1))).toMatchObject({ admitted: false })
      await meter.admit(ask('2', budget(100), 1))
      for (const _ of [1, 2]) await meter.settle({ ...end, hold: '2', unheld: true })
      expect(await meter.read(subject, [budget(100)])).toMatchObject([{ spent: 60, held: 0 }])
    },
  ],
  [
    'pitfall 8: a settlement goes to the period in which the call began',
    async (meter) => {
      const [before, after] = ['day 1', 'day 2'].map((period) =>
        budget(10, { period, endsAt: Date.now() + 60_000 }),
      )
      await meter.admit(ask('1', before!, 5))
      await charge(meter, '1', after!, 7)
      expect(await meter.read(subject, [after!])).toMatchObject([{ spent: 0, held: 0 }])
      expect(await meter.read(subject, [before!])).toMatchObject([{ spent: 7, held: 0 }])
    },
  ],
  [
    'a second ask adds to a hold, and does not stand in its own way',
    async (meter) => {
      const more = [{ limit: budget(10), amount: 4, floor: 0 }]
      await meter.admit(ask('1', concurrent(1), 1))
      expect(await meter.admit(ask('1', rate(9), 1, { more }))).toMatchObject({ admitted: true })
      expect(await meter.admit(ask('1', budget(10), 99))).toMatchObject({ admitted: true })
      expect(await meter.read(subject, [concurrent(1), budget(10)])).toMatchObject([
        { held: 1 },
        { held: 10 },
      ])
      await charge(meter, '1', budget(10), 3)
      expect(await meter.read(subject, [concurrent(1), budget(10)])).toMatchObject([
        { held: 0 },
        { held: 0, spent: 3 },
      ])
    },
  ],
  [
    'a limit that warns counts, refuses nothing, and says that it would',
    async (meter) => {
      const limits = [budget(1), rate(1, 60_000), concurrent(1)].map((limit) => ({
        ...limit,
        refuses: false,
      }))
      const [first, ...more] = limits.map((limit) => ({ limit, amount: 2, floor: 0 }))
      await meter.admit(ask('1', first!.limit, 2, { more }))
      const answer = await meter.admit(ask('2', first!.limit, 2, { more }))
      expect(answer).toMatchObject({ admitted: true, exceeded: [0, 1, 2] })
      expect(await meter.read(subject, limits)).toMatchObject([{ held: 3 }, {}, { held: 4 }])
    },
  ],
  [
    'a hold that nobody renews becomes a charge of its floor, which a late settlement corrects',
    async (meter) => {
      const limits = [budget(100), concurrent(1)] as const
      const more = [{ limit: limits[1], amount: 1, floor: 0 }]
      await meter.admit(ask('1', limits[0], 50, { floor: 20, expiresMs: 1, more }))
      await expect
        .poll(() => meter.read(subject, limits))
        .toMatchObject([{ spent: 20, held: 0 }, { held: 0 }])
      expect(await meter.admit(ask('2', limits[1], 1))).toMatchObject({ admitted: true })
      await charge(meter, '1', limits[0], 35)
      await charge(meter, '1', limits[0], 35)
      expect(await meter.read(subject, limits)).toMatchObject([{ spent: 35 }, { held: 1 }])
    },
  ],
  [
    'a hold that is renewed lasts',
    async (meter) => {
      await meter.admit(ask('1', budget(100), 50, { floor: 20, expiresMs: 1_000 }))
      await meter.admit(ask('2', budget(100), 30, { floor: 10, expiresMs: 1_000 }))
      await meter.renew(subject, ['1', 'unknown'], 600_000)
      await expect
        .poll(() => meter.read(subject, [budget(100)]), { timeout: 10_000 })
        .toMatchObject([{ spent: 10, held: 50 }])
    },
  ],
  [
    'a reset forgets what was spent, and no hold',
    async (meter) => {
      const limits = [budget(10), rate(10, 600_000), concurrent(2)]
      const [first, ...more] = limits.map((limit) => ({ limit, amount: 1, floor: 1 }))
      for (const hold of ['1', '2']) await meter.admit(ask(hold, first!.limit, 4, { more }))
      await charge(meter, '1', limits[0]!, 6)
      for (const limit of limits) await meter.reset(subject, limit)
      expect(await meter.read(subject, limits)).toMatchObject([
        { spent: 0, held: 4, remaining: 6 },
        { spent: 0, remaining: 10 },
        { held: 1 },
      ])
    },
  ],
  [
    'a lease has what it wants where ten times as much is left, and charges what its calls use',
    async (meter) => {
      const limits = [budget(1_000), concurrent(100), rate(1_000, 36_000_000)] as const
      const lease = (parts: readonly Partial<MeterLeasePart>[]) =>
        meter.lease(leaseOf('lease', limits, parts))
      expect(await lease([{ wanted: 100 }, { wanted: 10 }, { wanted: 100 }])).toMatchObject({
        isWider: true,
        states: [{ spent: 0, held: 100, remaining: 900 }, { held: 10 }, { remaining: 900 }],
      })
      const told = [
        { used: 30, kept: 50, wanted: 20 },
        { kept: 2, wanted: 9 },
        { used: 9, kept: 20, wanted: 0 },
      ]
      // Told again, since the answer was lost, it changes nothing.
      for (const _ of [1, 2, 3])
        expect(await lease(told)).toMatchObject({
          isWider: true,
          states: [{ spent: 30, held: 70, remaining: 900 }, { held: 11 }, { remaining: 971 }],
        })
      // One limit has too little left: no part of the lease is wider.
      expect(await lease([{ used: 30, kept: 70, wanted: 1 }, { wanted: 11 }, {}])).toMatchObject({
        isWider: false,
        states: [{ spent: 30, held: 70 }, { held: 0 }, { remaining: 1_000 }],
      })
      await charge(meter, 'lease', limits[0], 45)
      expect(await meter.read(subject, limits)).toMatchObject([{ spent: 45, held: 0 }, {}, {}])
    },
  ],
  [
    'what calls of a lease hold is not refused, and what is spent beyond is charged',
    async (meter) => {
      const limit = budget(100)
      await meter.admit(ask('1', limit, 95))
      const lease = (part: Partial<MeterLeasePart>) =>
        meter.lease(leaseOf('lease', [limit], [part]))
      expect(await lease({ kept: 30 })).toMatchObject({ isWider: true, states: [{ held: 125 }] })
      expect(await lease({ used: 40, kept: 10 })).toMatchObject({
        states: [{ spent: 40, held: 105, remaining: 0 }],
      })
    },
  ],
  [
    'a lease that expires is charged all that it holds, until its process tells what its calls have used',
    async (meter) => {
      const limits = [budget(1_000), concurrent(100)] as const
      const wanted = leaseOf('lease', limits, [{ used: 7, wanted: 50 }, { wanted: 5 }])
      await meter.lease({ ...wanted, expiresMs: 1 })
      await expect
        .poll(() => meter.read(subject, limits))
        .toMatchObject([{ spent: 57, held: 0 }, { held: 0 }])
      const late = leaseOf('lease', limits, [{ used: 20, kept: 10 }, { kept: 1 }])
      expect(await meter.lease(late)).toMatchObject({
        states: [{ spent: 20, held: 10 }, { held: 1 }],
      })
    },
  ],
  [
    'a lease that is over is not leased again, and one that the store has forgotten is charged once',
    async (meter) => {
      const limit = budget(1_000)
      const end = { subject, hold: '1', charges: [{ limit, amount: 40 }], unheld: true }
      await meter.lease(leaseOf('1', [limit], [{ used: 30, wanted: 50 }]))
      await meter.settle(end)
      const late = leaseOf('1', [limit], [{ used: 35, charged: 30, kept: 10 }])
      expect(await meter.lease(late)).toMatchObject({
        isWider: false,
        states: [{ spent: 40, held: 0 }],
      })
      const unknown = leaseOf('2', [limit], [{ used: 35, charged: 30, kept: 10 }])
      expect(await meter.lease(unknown)).toMatchObject({ states: [{ spent: 45, held: 10 }] })
    },
  ],
  [
    'subjects do not see each other, whatever their names are',
    async (meter) => {
      const subjects = ['a', 'a}', '{a', '}', '__proto__', "'; DROP TABLE meter_holds", 'ü\u0000😀']
      for (const [index, one] of subjects.entries()) {
        const limit = budget(100, { id: one })
        await meter.admit(ask(one, limit, index + 1, { subject: one }))
        await meter.settle({ subject: one, hold: one, charges: [{ limit, amount: index + 1 }] })
      }
      for (const [index, one] of subjects.entries()) {
        const limit = budget(100, { id: one })
        expect(await meter.read(one, [limit])).toMatchObject([{ spent: index + 1 }])
      }
    },
  ],
  [
    'amounts are exact up to 9 million dollars in nano-dollars, and none goes beyond',
    async (meter) => {
      const limit = budget(greatestAmount)
      await meter.admit(ask('1', limit, 4_503_599_627_370_497))
      expect(await meter.read(subject, [limit])).toMatchObject([{ held: 4_503_599_627_370_497 }])
      expect(await charge(meter, '1', limit, 1_234_567_890_123_457)).toMatchObject([
        { spent: 1_234_567_890_123_457, remaining: 7_765_432_109_876_543 },
      ])
      await meter.admit(ask('2', limit, 1))
      await charge(meter, '2', limit, greatestAmount)
      expect(await meter.read(subject, [limit])).toMatchObject([
        { spent: greatestAmount, remaining: 0 },
      ])
    },
  ],
  [
    'what no store could count is refused by itself',
    async (meter) => {
      const good = meter.admit(ask('1', budget(10), 1))
      const wrong = [
        ask('', budget(10), 1),
        ask('a\ud800', budget(10), 1),
        ask('a\nb', budget(10), 1),
        ask('a'.repeat(1_001), budget(10), 1),
        ask('1', budget(10, { period: '' }), 1),
        ask('1', budget(10), -1),
        ask('1', budget(10), Number.NaN),
        ask('1', budget(0.5), 1),
        ask('1', budget(greatestAmount + 1), 1),
        ask('1', budget(10), 1, { floor: Infinity }),
        ask('1', rate(10, 1.5), 1),
        ask('1', rate(10, 0), 1),
        ask('1', budget(10), 1, { expiresMs: -1 }),
        ask('1', budget(10), 1, { more: [{ limit: budget(10), amount: 1, floor: 0 }] }),
      ]
      for (const one of wrong) await expect(meter.admit(one)).rejects.toThrow(TypeError)
      for (const part of [{ used: -1 }, { charged: 0.5 }, { kept: Infinity }, { wanted: -1 }])
        await expect(meter.lease(leaseOf('1', [budget(10)], [part]))).rejects.toThrow(TypeError)
      expect(await good).toMatchObject({ admitted: true })
    },
  ],
  [
    'a closed store cannot tell, and says so',
    async (meter, store) => {
      await meter.admit(ask('1', budget(10), 1))
      await store.close()
      const calls = [
        meter.admit(ask('1', budget(10), 1)),
        meter.settle({ subject, hold: '1', charges: [] }),
        meter.lease(leaseOf('1', [budget(10)], [{}])),
        meter.renew(subject, ['1'], 1_000),
        meter.read(subject, [budget(10)]),
        meter.reset(subject, budget(10)),
      ]
      for (const call of calls) await expect(call).rejects.toThrow(StoreUnavailable)
    },
  ],
]

function leaseOf(
  hold: string,
  limits: readonly MeterLimit[],
  parts: readonly Partial<MeterLeasePart>[],
): MeterLease {
  const nothing = { used: 0, charged: 0, kept: 0, wanted: 0 }
  const all = limits.map((limit, index) => ({ limit, ...nothing, ...parts[index] }))
  return { subject, hold, expiresMs: 60_000, parts: all }
}

function charge(meter: Meter, hold: string, limit: ReturnType<typeof budget>, amount: number) {
  return meter.settle({ subject, hold, charges: [{ limit, amount }] })
}

const stores = ['memory', 'file', 'redis']

describe.each(stores)('the meter of the store %s', (kind) => {
  test.each(dailyRows(rows, stores.indexOf(kind)))('%s', async (_name, check) => {
    await using scene = new AsyncDisposableStack()
    const store = await openStore(await urlOf(kind, scene), { cwd: '/' })
    scene.defer(() => store.close())
    await check(store.meter(), store)
  })
})

async function urlOf(kind: string, scene: AsyncDisposableStack): Promise<string> {
  if (kind === 'memory') return 'memory:'
  if (kind === 'redis') return scene.use(await startRedis()).url
  return `file:${scene.use(await temporaryDirectory()).path}`
}
