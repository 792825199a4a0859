import { expect } from 'vitest'

import type { Meter, MeterLimit, MeterTake } from '../../../src/stores/meter.ts'
import { type Manner, createReference } from './reference.ts'

const hourMs = 3_600_000

interface Kind {
  readonly id: string
  readonly kind: 'rate' | 'budget' | 'total' | 'concurrent'
  readonly amounts: readonly number[]
  readonly windowMs?: number
  readonly refuses?: boolean
  readonly strict?: boolean
}

const kinds: readonly Kind[] = [
  { id: 'calls', kind: 'rate', windowMs: 10_000, amounts: [0, 3, 5, 7] },
  { id: 'tokens', kind: 'rate', windowMs: 60_000, amounts: [1_000, 900, 123_457] },
  { id: 'dry', kind: 'rate', windowMs: hourMs, amounts: [50, 0], refuses: false },
  { id: 'hourly', kind: 'budget', amounts: [3_000, 5_000, 0] },
  { id: 'careful', kind: 'budget', amounts: [4_000, 9_000], strict: true },
  { id: 'all', kind: 'total', amounts: [200_000, 400_000, 1e15] },
  { id: 'warned', kind: 'budget', amounts: [2_000], refuses: false },
  { id: 'at once', kind: 'concurrent', amounts: [3, 5, 0] },
  { id: 'seen', kind: 'concurrent', amounts: [2], refuses: false },
]

const subjects = ['key:a', 'team:{b}']

/** What a walk has met, so that a test sees that it goes everywhere. */
export type Met = Record<string, number>

interface WalkOptions {
  readonly seed: number
  readonly steps: number
  readonly manner: Manner
  /** Opens the meter that is compared, with the clock of the walk. */
  open(now: () => number): Meter
  /** Sweeps the compared meter. */
  sweep?(now: number): void
}

/** Compares a meter with the reference at random steps. Throws at the first difference. */
export async function walk({ seed, steps, manner, open, sweep }: WalkOptions): Promise<Met> {
  const random = randomOf(seed)
  let now = Date.UTC(2026, 0, 5, 0, 55)
  const meter = open(() => now)
  const reference = createReference(() => now, manner)
  const met: Met = {}
  const amounts = kinds.map((kind) => kind.amounts[0]!)
  const opened: string[] = []
  let last = 0

  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!
  const meet = (name: string) => void (met[name] = (met[name] ?? 0) + 1)

  function limitOf(index: number): MeterLimit {
    const { id, kind, windowMs = 0, refuses = true, strict = false } = kinds[index]!
    const start = Math.floor(now / hourMs) * hourMs
    const counts =
      kind === 'rate'
        ? ({ kind, windowMs } as const)
        : kind === 'concurrent'
          ? ({ kind } as const)
          : kind === 'total'
            ? ({ kind: 'budget', period: 'total', endsAt: undefined } as const)
            : ({ kind, period: `hour ${start}`, endsAt: start + hourMs } as const)
    return { id, amount: amounts[index]!, counts, refuses, strict }
  }

  const someLimits = () =>
    kinds
      .flatMap((_, index) => (random() < 0.4 ? limitOf(index) : []))
      .toSorted(() => random() - 0.5)

  const amountOf = ({ id }: MeterLimit) =>
    ['calls', 'dry', 'at once', 'seen'].includes(id)
      ? oneOf([1, 1, 1, 1, 2, 9])
      : oneOf([0, 1, 10, 100, 400, 1_000, 3_333])

  async function both<T>(act: (one: Meter) => Promise<T>): Promise<T> {
    const [wanted, found] = await Promise.all([act(reference.meter), act(meter)])
    expect(found).toStrictEqual(wanted)
    return found
  }

  async function admit(): Promise<void> {
    const hold = random() < 0.2 && opened.length > 0 ? oneOf(opened.slice(-20)) : `hold ${++last}`
    const takes = someLimits().map((limit): MeterTake => {
      const amount = amountOf(limit)
      return { limit, amount, floor: below(amount + 1) }
    })
    const expiresMs = oneOf([1_000, 30_000, 120_000])
    const subject = oneOf(subjects)
    const answer = await both((one) => one.admit({ subject, hold, expiresMs, takes }))
    opened.push(hold)
    if (!answer.admitted) meet(answer.why)
    else meet(answer.exceeded.length > 0 ? 'warned' : 'admitted')
  }

  async function settle(): Promise<void> {
    const isOld = random() < 0.2
    const hold = isOld ? oneOf(['unknown', ...opened]) : oneOf(['unknown', ...opened.slice(-15)])
    const charges = someLimits().map((limit) => ({ limit, amount: amountOf(limit) }))
    const unheld = random() < 0.1
    const end = { subject: oneOf(subjects), hold, charges, ...(unheld && { unheld }) }
    await both((one) => one.settle(end))
    meet(unheld ? 'settled unheld' : 'settled')
    if (random() < 0.2) await both((one) => one.settle(end))
  }

  async function lease(): Promise<void> {
    const isOld = random() < 0.3 && opened.length > 0
    const hold = isOld ? oneOf(opened.slice(-20)) : `lease ${below(3)}`
    const parts = someLimits().map((limit) => {
      const [charged, more] = [amountOf(limit), amountOf(limit)]
      const [kept, wanted] = [amountOf(limit), oneOf([0, 0, 1, below(300)])]
      return { limit, charged, used: random() < 0.7 ? charged + more : more, kept, wanted }
    })
    const expiresMs = oneOf([1_000, 120_000])
    const ask = { subject: oneOf(subjects), hold, expiresMs, parts }
    const { isWider } = await both((one) => one.lease(ask))
    if (!isOld) opened.push(hold)
    meet(isWider ? 'leased' : 'not leased')
    if (random() < 0.2) await both((one) => one.lease(ask))
  }

  const acts: readonly [weight: number, name: string, act: () => unknown][] = [
    [40, 'admit', admit],
    [25, 'settle', settle],
    [12, 'lease', lease],
    [
      4,
      'renew',
      () => {
        const holds = [...opened.slice(-5), 'unknown']
        const [subject, expiresMs] = [oneOf(subjects), oneOf([60_000, 120_000])]
        return both((one) => one.renew(subject, holds, expiresMs))
      },
    ],
    [
      1,
      'reset',
      () => {
        const [subject, limit] = [oneOf(subjects), limitOf(below(kinds.length))]
        return both((one) => one.reset(subject, limit))
      },
    ],
    // Calls in flight are never settled: their process has died.
    [1, 'crash', () => void opened.splice(-5)],
    [20, 'moment', () => void (now += below(500))],
    [8, 'seconds', () => void (now += below(20_000))],
    [2, 'minutes', () => void (now += below(900_000))],
    [1, 'clock back', () => void (now -= below(900_000))],
    [0.3, 'next period', () => void (now = (Math.floor(now / hourMs) + 1) * hourMs)],
    [0.3, 'day', () => void (now += 25 * hourMs)],
    [
      2,
      'amount',
      () => {
        const index = below(kinds.length)
        amounts[index] = oneOf(kinds[index]!.amounts)
      },
    ],
    [
      1,
      'sweep',
      () => {
        if (!sweep) return
        sweep(now)
        reference.sweep()
      },
    ],
  ]
  const all = acts.reduce((sum, [weight]) => sum + weight, 0)

  for (let step = 0; step < steps; step++) {
    let at = random() * all
    const [, name, act] = acts.find(([weight]) => (at -= weight) < 0) ?? acts[0]!
    try {
      meet(name)
      await act()
      for (const subject of subjects) {
        await both((one) =>
          one.read(
            subject,
            kinds.map((_, index) => limitOf(index)),
          ),
        )
      }
    } catch (cause) {
      throw new Error(`seed ${seed}, step ${step}, ${name}: ${(cause as Error).message}`, { cause })
    }
  }
  return met
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
