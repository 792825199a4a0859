import {
  type Meter,
  type MeterAnswer,
  type MeterCounts,
  type MeterLimit,
  type MeterRefusal,
  type MeterState,
  greatestAmount,
} from './meter.ts'

/**
 * An operation as it goes to the thread of a file store or to the script on Redis, in JSON: lists, which both read in
 * half of the time of objects. `now`: milliseconds since 1970, or 0 for the clock of the server.
 */
export type MeterOperation =
  | readonly [
      name: 'admit',
      now: number,
      subject: string,
      hold: string,
      expiresMs: number,
      takes: readonly WireTake[],
    ]
  | readonly [
      name: 'settle',
      now: number,
      subject: string,
      hold: string,
      unheld: boolean,
      charges: readonly WireCharge[],
    ]
  | readonly [
      name: 'lease',
      now: number,
      subject: string,
      hold: string,
      expiresMs: number,
      parts: readonly WireLeasePart[],
    ]
  | readonly [
      name: 'renew',
      now: number,
      subject: string,
      holds: readonly string[],
      expiresMs: number,
    ]
  | readonly [name: 'reset', now: number, subject: string, limit: WireLimit]
  | readonly [name: 'read', now: number, subject: string, limits: readonly WireLimit[]]

/** `span`: the window of a rate, the period of a budget. */
export type WireLimit = readonly [
  id: string,
  amount: number,
  kind: MeterCounts['kind'],
  span: number | string,
  endsAt: number | false,
  refuses: boolean,
  strict: boolean,
]

export type WireTake = readonly [limit: WireLimit, amount: number, floor: number]

export type WireCharge = readonly [limit: WireLimit, amount: number]

export type WireLeasePart = readonly [
  limit: WireLimit,
  used: number,
  charged: number,
  kept: number,
  wanted: number,
]

/** The states after an operation; of an `admit` and a `lease`, a `WireAnswer`. Redis writes `false` as null. */
export type MeterReply = WireAnswer | readonly WireState[]

/** `refusedBy`: -1 for an admission, and for a lease that has what it wanted. */
export type WireAnswer = readonly [
  refusedBy: number,
  why: MeterRefusal | '',
  retryAfterMs: number | false | null,
  exceeded: readonly number[],
  states: readonly WireState[],
]

export type WireState = readonly [
  spent: number,
  held: number,
  remaining: number,
  resetsAt: number | false | null,
]

/** The greatest number of takes, charges or limits of an operation. */
const mostLimits = 100

/** The greatest length of the id of a subject, a hold, a limit or a period. */
const longestId = 1_000

/**
 * A meter whose operations `run` does, each in one step; `run` throws or rejects as `Meter` does. A `TypeError` for an
 * operation that no store could name: it must not spoil others in its batch.
 */
export function createMeter(
  run: (operation: MeterOperation) => Promise<MeterReply>,
  now: () => number,
): Meter {
  return {
    async admit({ subject, hold, expiresMs, takes }) {
      assertId(subject)
      assertId(hold)
      assertCount(expiresMs)
      const sent = takes.map(({ limit, amount, floor }, index): WireTake => {
        assertCount(amount)
        assertCount(floor)
        assertNew(takes, index)
        return [wireLimit(limit), amount, floor]
      })
      return answerOf(await run(['admit', now(), subject, hold, expiresMs, sent]))
    },
    async settle({ subject, hold, charges, unheld = false }) {
      assertId(subject)
      assertId(hold)
      const sent = charges.map(({ limit, amount }, index): WireCharge => {
        assertCount(amount)
        assertNew(charges, index)
        return [wireLimit(limit), amount]
      })
      return statesOf(await run(['settle', now(), subject, hold, unheld, sent]))
    },
    async lease({ subject, hold, expiresMs, parts }) {
      assertId(subject)
      assertId(hold)
      assertCount(expiresMs)
      const sent = parts.map(({ limit, used, charged, kept, wanted }, index): WireLeasePart => {
        for (const amount of [used, charged, kept, wanted]) assertCount(amount)
        assertNew(parts, index)
        return [wireLimit(limit), used, charged, kept, wanted]
      })
      const reply = await run(['lease', now(), subject, hold, expiresMs, sent])
      const [refusedBy, , , , states] = reply as WireAnswer
      return { isWider: refusedBy < 0, states: statesOf(states) }
    },
    async renew(subject, holds, expiresMs) {
      assertId(subject)
      assertCount(expiresMs)
      for (const hold of holds) assertId(hold)
      await run(['renew', now(), subject, holds, expiresMs])
    },
    async read(subject, limits) {
      assertId(subject)
      return statesOf(await run(['read', now(), subject, limits.map(wireLimit)]))
    },
    async reset(subject, limit) {
      assertId(subject)
      await run(['reset', now(), subject, wireLimit(limit)])
    },
  }
}

/** A limit as it goes to a store. Throws a `TypeError` as the operations do. */
export function wireLimit({ id, amount, counts, refuses, strict }: MeterLimit): WireLimit {
  assertId(id)
  assertCount(amount)
  switch (counts.kind) {
    case 'rate':
      assertCount(counts.windowMs)
      if (counts.windowMs === 0) throw new TypeError('The window of a rate has no length.')
      return [id, amount, counts.kind, counts.windowMs, false, refuses, strict]
    case 'budget':
      assertId(counts.period)
      return [id, amount, counts.kind, counts.period, counts.endsAt ?? false, refuses, strict]
    case 'concurrent':
      return [id, amount, counts.kind, 0, false, refuses, strict]
  }
}

function assertId(id: string): void {
  const isId = id.length > 0 && id.length <= longestId && !id.includes('\n') && id.isWellFormed()
  if (!isId) throw new TypeError('An id of a meter is empty, too long or no text.')
}

function assertCount(value: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && value <= greatestAmount) return
  throw new TypeError('A meter counts whole numbers that are not negative.')
}

/** Throws if the limit at an index is also before it. */
function assertNew(named: readonly { readonly limit: MeterLimit }[], index: number): void {
  const { id } = named[index]!.limit
  for (let before = 0; before < index; before++) {
    if (named[before]!.limit.id === id) throw new TypeError('An operation names a limit twice.')
  }
  if (index >= mostLimits) throw new TypeError('An operation names too many limits.')
}

function answerOf(reply: MeterReply): MeterAnswer {
  const [refusedBy, why, retryAfterMs, exceeded, states] = reply as WireAnswer
  if (refusedBy < 0) return { admitted: true, states: statesOf(states), exceeded }
  return {
    admitted: false,
    refusedBy,
    why: why || 'held',
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
    states: statesOf(states),
  }
}

function statesOf(reply: MeterReply): MeterState[] {
  return (reply as readonly WireState[]).map(([spent, held, remaining, resetsAt]) => ({
    spent,
    held,
    remaining,
    resetsAt: typeof resetsAt === 'number' ? resetsAt : undefined,
  }))
}
