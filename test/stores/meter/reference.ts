import type {
  Meter,
  MeterAnswer,
  MeterCharge,
  MeterCounts,
  MeterLeasePart,
  MeterLimit,
  MeterRefusal,
  MeterState,
  MeterTake,
} from '../../../src/stores/meter.ts'

interface Part {
  readonly id: string
  readonly amount: number
  readonly counts: MeterCounts
  held: number
  charged: number
  floor: number
}

interface Hold {
  status: 'live' | 'lost' | 'settled'
  expires: number
  parts: Part[]
}

/** All that has happened to a budget in a period. */
type Entry = number | 'reset'

interface Subject {
  readonly holds: Map<string, Hold>
  readonly budgets: Map<string, Entry[]>
  /** When buckets are full again, in microseconds. */
  readonly rates: Map<string, bigint>
}

const dayMs = 86_400_000

/** How a store differs from others where it may. */
export interface Manner {
  /** Reading charges lost holds, as writing does. */
  readonly readingCharges: boolean
  /** Each operation on a subject forgets what is over; otherwise a sweep does. */
  readonly forgetsAtOnce: boolean
}

/** A meter that adds up its whole history with each question, to compare others with. */
export function createReference(now: () => number, { readingCharges, forgetsAtOnce }: Manner) {
  const subjects = new Map<string, Subject>()

  function subjectOf(name: string): Subject {
    const known = subjects.get(name) ?? { holds: new Map(), budgets: new Map(), rates: new Map() }
    subjects.set(name, known)
    return known
  }

  const nameOf = (id: string, counts: MeterCounts) =>
    counts.kind === 'budget' ? JSON.stringify([id, counts.period]) : id

  function spentOf(subject: Subject, name: string): number {
    let spent = 0
    for (const entry of subject.budgets.get(name) ?? []) {
      spent = entry === 'reset' ? 0 : Math.max(0, spent + entry)
    }
    return spent
  }

  function note(subject: Subject, name: string, entry: Entry): void {
    const log = subject.budgets.get(name) ?? []
    log.push(entry)
    subject.budgets.set(name, log)
  }

  function heldOf(subject: Subject, name: string, except?: string): number {
    let held = 0
    for (const [id, hold] of subject.holds) {
      if (id === except || hold.status !== 'live') continue
      for (const part of hold.parts) if (nameOf(part.id, part.counts) === name) held += part.held
    }
    return held
  }

  const nowUs = () => BigInt(now()) * 1_000n

  function clamp(time: bigint, windowMs: number): bigint {
    const latest = nowUs() + 2_000n * BigInt(windowMs)
    if (time < nowUs()) return nowUs()
    return time > latest ? latest : time
  }

  const fullAt = (subject: Subject, id: string, windowMs: number) =>
    clamp(subject.rates.get(id) ?? 0n, windowMs)

  function timeOf(amount: number, most: number, windowMs: number): bigint {
    if (most === 0) return 0n
    const sign = amount < 0 ? -1n : 1n
    return sign * ((BigInt(Math.abs(amount)) * BigInt(windowMs) * 1_000n) / BigInt(most))
  }

  function charge(
    subject: Subject,
    limit: Pick<Part, 'id' | 'amount' | 'counts'>,
    amount: number,
  ): void {
    const { id, counts } = limit
    if (counts.kind === 'budget') note(subject, nameOf(id, counts), amount)
    if (counts.kind !== 'rate' || amount === 0) return
    const moved = timeOf(amount, limit.amount, counts.windowMs)
    subject.rates.set(id, clamp(fullAt(subject, id, counts.windowMs) + moved, counts.windowMs))
  }

  /** A refused ask saves where a clock that was set back leaves a rate. */
  function saveRates(subject: Subject, takes: readonly MeterTake[]): void {
    for (const { limit } of takes) {
      const { id, counts } = limit
      const full = subject.rates.get(id)
      if (counts.kind !== 'rate' || full === undefined) continue
      const saved = fullAt(subject, id, counts.windowMs)
      if (saved < full) subject.rates.set(id, saved)
    }
  }

  const isOver = ({ status, expires }: Hold) => status === 'live' && expires <= now()

  function loseHolds(subject: Subject): void {
    for (const hold of subject.holds.values()) {
      if (!isOver(hold)) continue
      hold.status = 'lost'
      hold.expires = now() + dayMs
      for (const part of hold.parts) {
        if (part.counts.kind === 'budget') charge(subject, part, part.floor)
        part.charged += part.floor
        part.held = 0
        part.floor = 0
      }
    }
  }

  function forgetHolds(subject: Subject): void {
    for (const [id, { status, expires }] of subject.holds) {
      if (status !== 'live' && expires <= now()) subject.holds.delete(id)
    }
  }

  function open(name: string): Subject {
    const subject = subjectOf(name)
    loseHolds(subject)
    if (forgetsAtOnce) forgetHolds(subject)
    return subject
  }

  function holdOf(subject: Subject, id: string): Hold | undefined {
    const hold = subject.holds.get(id)
    return hold && (hold.status === 'live' || hold.expires > now()) ? hold : undefined
  }

  function stateOf(subject: Subject, { id, amount, counts }: MeterLimit): MeterState {
    const name = nameOf(id, counts)
    if (counts.kind === 'rate') {
      const full = fullAt(subject, id, counts.windowMs)
      const windowUs = BigInt(counts.windowMs) * 1_000n
      const used = Number(((full - nowUs()) * BigInt(amount) + windowUs - 1n) / windowUs)
      const resetsAt = full > nowUs() ? Number((full + 999n) / 1_000n) : undefined
      return { spent: used, held: 0, remaining: Math.max(0, amount - used), resetsAt }
    }
    const held = heldOf(subject, name)
    const spent = counts.kind === 'budget' ? spentOf(subject, name) : 0
    const resetsAt = counts.kind === 'budget' ? counts.endsAt : undefined
    return { spent, held, remaining: Math.max(0, amount - spent - held), resetsAt }
  }

  type Refusal = { why: MeterRefusal; retryAfterMs: number | undefined }

  function refusalOf(subject: Subject, take: MeterTake, hold: string): Refusal | undefined {
    const { limit, amount } = take
    const { counts, strict } = limit
    const name = nameOf(limit.id, counts)
    if (counts.kind === 'concurrent') {
      const fits = limit.amount > 0 && heldOf(subject, name) + amount <= limit.amount
      return fits ? undefined : { why: 'concurrent', retryAfterMs: undefined }
    }
    if (counts.kind === 'rate') {
      if (limit.amount === 0) return { why: 'rate', retryAfterMs: undefined }
      const full = fullAt(subject, limit.id, counts.windowMs)
      const following = full + timeOf(amount, limit.amount, counts.windowMs)
      const wait =
        amount > limit.amount
          ? full - nowUs()
          : following - nowUs() - BigInt(counts.windowMs) * 1_000n
      return wait > 0n ? { why: 'rate', retryAfterMs: Number((wait + 999n) / 1_000n) } : undefined
    }
    const spent = spentOf(subject, name)
    if (limit.amount > 0 && spent + heldOf(subject, name) + amount <= limit.amount) return undefined
    const retryAfterMs =
      counts.endsAt === undefined ? undefined : Math.max(0, counts.endsAt - now())
    const others = heldOf(subject, name, hold)
    const own = heldOf(subject, name) - others
    if (spent >= limit.amount) return { why: 'spent', retryAfterMs }
    if (strict && spent + own + amount > limit.amount) return { why: 'spent', retryAfterMs }
    return others > 0 ? { why: 'held', retryAfterMs: undefined } : undefined
  }

  function take(subject: Subject, hold: Hold, asked: MeterTake, isRefused: boolean): void {
    const { limit, amount } = asked
    const { id, counts } = limit
    const part: Part = { id, counts, amount: limit.amount, held: 0, charged: 0, floor: 0 }
    if (counts.kind === 'rate') {
      charge(subject, part, amount)
      part.charged = amount
    } else if (counts.kind === 'concurrent') {
      part.held = amount
    } else {
      const name = nameOf(id, counts)
      const rest = Math.max(0, limit.amount - spentOf(subject, name) - heldOf(subject, name))
      part.held = isRefused ? amount : Math.min(amount, rest)
      part.floor = asked.floor
    }
    const known = hold.parts.find((one) => nameOf(one.id, one.counts) === nameOf(id, counts))
    if (known) {
      known.held += part.held
      known.charged += part.charged
      known.floor += part.floor
    } else hold.parts.push(part)
  }

  /** Has a lease hold an amount of a limit, and charges what its calls have used since the last time. */
  function hasPart(
    subject: Subject,
    hold: Hold,
    { limit, used, charged }: MeterLeasePart,
    holds: number,
  ): void {
    const { id, counts, amount } = limit
    const index = hold.parts.findIndex((one) => nameOf(one.id, one.counts) === nameOf(id, counts))
    const before = hold.parts[index]?.charged ?? charged
    const part = { id, counts, amount, held: 0, charged: used, floor: 0 }
    charge(subject, part, used - before)
    if (counts.kind === 'rate') {
      charge(subject, part, holds)
      part.charged += holds
    } else {
      part.held = holds
      part.floor = counts.kind === 'budget' ? holds : 0
    }
    if (index < 0) hold.parts.push(part)
    else hold.parts[index] = part
  }

  const meter: Meter = {
    async admit({ subject: name, hold: id, expiresMs, takes }): Promise<MeterAnswer> {
      const subject = open(name)
      const states = () => takes.map(({ limit }) => stateOf(subject, limit))
      const known = holdOf(subject, id)
      if (known?.status === 'settled') {
        const why = { why: 'held', retryAfterMs: undefined } as const
        saveRates(subject, takes)
        return { admitted: false, refusedBy: 0, ...why, states: states() }
      }
      const refusals = takes.map((one) => refusalOf(subject, one, id))
      const refusedBy = takes.findIndex(({ limit }, index) => limit.refuses && refusals[index])
      if (refusedBy >= 0) {
        saveRates(subject, takes)
        return { admitted: false, refusedBy, ...refusals[refusedBy]!, states: states() }
      }
      const hold: Hold = known ?? { status: 'live', expires: 0, parts: [] }
      if (takes.length > 0) {
        hold.status = 'live'
        hold.expires = now() + expiresMs
        subject.holds.set(id, hold)
      }
      for (const [index, one] of takes.entries()) take(subject, hold, one, !!refusals[index])
      const exceeded = refusals.flatMap((one, index) => (one ? index : []))
      return { admitted: true, states: states(), exceeded }
    },
    async settle({ subject: name, hold: id, charges, unheld }) {
      const subject = open(name)
      const hold = holdOf(subject, id)
      if (hold?.status !== 'settled' && (hold || unheld)) {
        const left: MeterCharge[] = [...charges]
        for (const part of hold?.parts ?? []) {
          const found = left.find(({ limit }) => limit.id === part.id)
          if (found) left.splice(left.indexOf(found), 1)
          charge(subject, part, (found?.amount ?? 0) - part.charged)
        }
        for (const { limit, amount } of left) charge(subject, limit, amount)
        subject.holds.delete(id)
        if (unheld) subject.holds.set(id, { status: 'settled', expires: now() + dayMs, parts: [] })
      }
      return charges.map(({ limit }) => stateOf(subject, limit))
    },
    async lease({ subject: name, hold: id, expiresMs, parts }) {
      const subject = open(name)
      const states = () => parts.map(({ limit }) => stateOf(subject, limit))
      const known = holdOf(subject, id)
      if (known?.status === 'settled') return { isWider: false, states: states() }
      const hold: Hold = known ?? { status: 'live', expires: 0, parts: [] }
      const holdAll = (amountOf: (part: MeterLeasePart) => number) => {
        for (const one of parts) hasPart(subject, hold, one, amountOf(one))
      }
      if (parts.length > 0 || known) {
        hold.status = 'live'
        hold.expires = now() + expiresMs
        subject.holds.set(id, hold)
      }
      holdAll(({ kept }) => kept)
      const isWider = parts.every(
        ({ limit, wanted }) => stateOf(subject, limit).remaining >= 10 * wanted,
      )
      if (isWider) holdAll(({ kept, wanted }) => kept + wanted)
      return { isWider, states: states() }
    },
    async renew(name, holds, expiresMs) {
      const subject = open(name)
      for (const id of holds) {
        const hold = subject.holds.get(id)
        if (hold?.status === 'live') hold.expires = now() + expiresMs
      }
    },
    async read(name, limits) {
      if (readingCharges) open(name)
      const subject = subjectOf(name)
      const isDue = [...subject.holds.values()].some(isOver)
      const seen = isDue ? structuredClone(subject) : subject
      loseHolds(seen)
      return limits.map((limit) => stateOf(seen, limit))
    },
    async reset(name, limit) {
      const subject = open(name)
      if (limit.counts.kind === 'budget') note(subject, nameOf(limit.id, limit.counts), 'reset')
      subject.rates.delete(limit.counts.kind === 'rate' ? limit.id : '')
    },
  }
  /** What a store does now and then, for all subjects. */
  const sweep = () => {
    for (const subject of subjects.values()) {
      loseHolds(subject)
      forgetHolds(subject)
    }
  }
  return { meter, sweep }
}
