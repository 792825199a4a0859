import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { QuotaSetting } from '../../src/contract/quota.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { MeterLimit, MeterState } from '../../src/stores/meter.ts'
import {
  type LeasingCall,
  type LeasingProcess,
  leasingProcess,
  limitsOf,
  randomOf,
  subject,
} from './leasing-process.ts'

const dayMs = 86_400_000

/** Amounts between which the limits change. */
const amounts = [200_000, 400_000, 30_000]

const atOnceOf = (amount: number) => (amount < 200_000 ? 250 : 3_000)

const perMinute = 60_000

const quotasOf = (amount: number): QuotaSetting[] => [
  { kind: 'concurrent', amount: atOnceOf(amount) },
  { kind: 'requests', amount: perMinute, window: '1m' },
  { kind: 'tokens', amount, window: 'day' },
  { kind: 'inputTokens', amount: 1e9, window: 'total' },
]

interface Flying {
  readonly call: LeasingCall
  readonly of: LeasingProcess
  readonly tokens: number
  readonly day: string
}

/** What a walk has met, so that a test sees that it goes everywhere. */
type Met = Record<string, number>

async function walk(seed: number, steps: number): Promise<Met> {
  const random = randomOf(seed)
  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!
  const met: Met = {}
  const meet = (name: string) => void (met[name] = (met[name] ?? 0) + 1)

  const store = openMemoryStore().meter()
  let amount = amounts[0]!
  const processes = [1, 2, 3].map(() => leasingProcess(store, quotasOf(amount)))
  let flying: Flying[] = []
  /** What ended calls have used, and dead ones have taken, by day. */
  const used = new Map<string, number>()
  /** How much calls have used beyond what they took, and when. */
  let beyond: { readonly at: number; readonly tokens: number }[] = []
  /** Whether a process has died, or a clock was set, since all was settled. */
  let [hasDied, isClockSet] = [false, false]
  /** How far clocks were set back: holds expire, and rates flow back, so much later. */
  let backMs = 0
  /** When the whole rate is there again, by the model. */
  let fullAt = 0

  const limitNow = (): MeterLimit => processes[0]!.asked()[2]!
  const periodOf = ({ counts }: MeterLimit) => (counts.kind === 'budget' ? counts.period : '')
  const usedOn = (day: string) => used.get(day) ?? 0
  const charge = (day: string, tokens: number) => void used.set(day, usedOn(day) + tokens)
  const flyingOn = (day: string) =>
    flying.reduce((sum, one) => sum + (one.day === day ? one.tokens : 0), 0)
  const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
  const stateOf = async (limit: MeterLimit): Promise<MeterState> =>
    (await store.read(subject, [limit]))[0]!

  async function begin(): Promise<void> {
    if (flying.length > 150 && random() < 0.7) return end()
    const of = oneOf(processes)
    const tokens = 1 + below(40)
    const limit = limitNow()
    const day = periodOf(limit)
    const before = { used: usedOn(day), held: flyingOn(day) }
    const call = await of.begin(tokens)
    if (!call) {
      meet('refused')
      // Leases of others, and what a dead one had, are no more than a part of the amount.
      const isFull = before.used + before.held + tokens > limit.amount * 0.6
      const isBusy = flying.length > atOnceOf(amount) * 0.5 || fullAt - Date.now() > 60_000 * 0.6
      expect(isFull || isBusy || hasDied || isClockSet, 'refused without need').toBe(true)
      return
    }
    meet(call.isLeased ? 'leased' : 'asked')
    flying.push({ call, of, tokens, day })
    beyond = beyond.filter(({ at }) => performance.now() - at < 300)
    const more = beyond.reduce((sum, one) => sum + one.tokens, 0)
    const isRest = before.held === 0 && before.used < limit.amount
    const all = before.used + before.held + tokens
    if (!isRest) expect(all, 'the budget').toBeLessThanOrEqual(limit.amount + more)
    if (!isClockSet) expect(flying.length, 'calls at once').toBeLessThanOrEqual(atOnceOf(amount))
    fullAt = Math.max(fullAt, Date.now()) + 60_000 / perMinute
    // What a lease has of a rate flows back until it is renewed.
    if (!isClockSet) expect(fullAt - Date.now(), 'the rate').toBeLessThanOrEqual(60_000 + 300)
  }

  function end(): void {
    if (flying.length === 0) return
    const [{ call, of, tokens, day }] = flying.splice(below(flying.length), 1) as [Flying]
    const more = random() < 0.03 ? 2 * tokens : 0
    const real = more > 0 ? tokens + more : below(tokens + 1)
    if (more > 0) beyond.push({ at: performance.now(), tokens: more })
    of.end(call, real)
    charge(day, real)
  }

  async function die(): Promise<void> {
    const index = below(processes.length)
    const dead = processes[index]!
    dead.counted.fails = () => 'before'
    for (const { day, tokens, of } of flying) if (of === dead) charge(day, tokens)
    flying = flying.filter(({ of }) => of !== dead)
    processes[index] = leasingProcess(store, quotasOf(amount))
    hasDied = true
  }

  /** Ends all, and compares what the store has with what calls have used. */
  async function rest(): Promise<void> {
    while (flying.length > 0) end()
    await settle(500)
    if (hasDied || backMs > 0) await settle(130_000 + backMs)
    for (const day of used.keys()) {
      // A store keeps a day that is over for another one.
      if (Date.parse(day) + 1.9 * dayMs < Date.now()) continue
      const counts = { kind: 'budget', period: day, endsAt: Date.now() + dayMs } as const
      const state = await stateOf({ ...limitNow(), counts })
      expect(state.held, 'held').toBe(0)
      if (hasDied) expect(state.spent, 'spent').toBeGreaterThanOrEqual(usedOn(day))
      else expect(state.spent, 'spent').toBe(usedOn(day))
      used.set(day, state.spent)
    }
    const shown = await oneOf(processes).read()
    expect(shown[0]).toMatchObject({ held: 0 })
    ;[hasDied, isClockSet, backMs] = [false, false, 0]
  }

  const setAmounts = () => {
    for (const one of processes) one.set.replace('FILE', limitsOf(quotasOf(amount)))
  }
  const acts: readonly [weight: number, name: string, act: () => unknown][] = [
    [50, 'begin', begin],
    [44, 'end', end],
    [4, 'moment', () => settle(below(30))],
    [0.05, 'seconds', () => settle(below(20_000))],
    [0.03, 'death', die],
    [
      0.03,
      'clock',
      () => {
        isClockSet = true
        const ms = oneOf([-400_000, -5_000, 5_000, 200_000])
        backMs += Math.max(0, -ms)
        vi.setSystemTime(Date.now() + ms)
        // A clock that is set back delays no caller by more than a window beyond the rate's.
        fullAt = Math.min(fullAt, Date.now() + 120_000)
      },
    ],
    [
      0.03,
      'next day',
      async () => {
        // A store keeps a day that is over, and a hold that has expired, for a day.
        if (isClockSet) await rest()
        isClockSet = true
        vi.setSystemTime((Math.floor(Date.now() / dayMs) + 1) * dayMs)
      },
    ],
    [
      0.03,
      'amount',
      () => {
        amount = oneOf(amounts)
        setAmounts()
      },
    ],
    [
      0.03,
      'extra',
      () => {
        const extra = { amount: 5_000, until: Date.now() + 2_000 }
        const { id } = limitsOf(quotasOf(amount))[2]!
        for (const one of processes) one.set.replaceExtras(new Map([[id, extra]]))
      },
    ],
    [
      0.03,
      'reset',
      async () => {
        const limit = limitNow()
        const { spent } = await stateOf(limit)
        await store.reset(subject, limit)
        charge(periodOf(limit), -spent)
      },
    ],
    [0.03, 'rest', rest],
  ]
  const all = acts.reduce((sum, [weight]) => sum + weight, 0)

  for (let step = 0; step < steps; step++) {
    let at = random() * all
    const [, name, act] = acts.find(([weight]) => (at -= weight) < 0) ?? acts[0]!
    try {
      meet(name)
      await act()
      // What calls have used beyond what they took is told at once.
      await settle()
      const limit = limitNow()
      const day = periodOf(limit)
      const { spent, held } = await stateOf(limit)
      const least = Math.min(limit.amount, usedOn(day) + flyingOn(day))
      expect(spent + held, 'covered').toBeGreaterThanOrEqual(least)
    } catch (cause) {
      throw new Error(`seed ${seed}, step ${step}, ${name}: ${(cause as Error).message}`, { cause })
    }
  }
  await rest()
  for (const { calls } of processes) await calls.close()
  return met
}

/** Random walks of three processes with leases. */
export function walkLeases({
  seeds,
  steps,
}: {
  readonly seeds: readonly number[]
  readonly steps: number
}): void {
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date', 'performance'],
      now: Date.UTC(2026, 5, 1, 12),
    })
  })

  afterEach(() => void vi.useRealTimers())

  test.each(seeds)(
    `three processes with leases spend no more than their limits, and are charged what they use, at ${steps} random steps of seed %i`,
    async (seed) => {
      const met = await walk(seed, steps)
      for (const name of ['refused', 'death', 'clock', 'next day', 'amount', 'extra', 'reset'])
        expect(met[name], name).toBeGreaterThan(0)
      expect(met['leased']).toBeGreaterThan(steps / 20)
      expect(met['asked']).toBeGreaterThan(steps / 40)
    },
    120_000,
  )
}
