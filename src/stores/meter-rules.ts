import {
  type MeterLimit,
  type MeterRefusal,
  type MeterState,
  type MeterTake,
  greatestAmount,
  meterKeepsMs,
} from './meter.ts'

/** What a store has of a limit. */
export interface MeterCounter {
  /** For a rate: the time at which its whole amount is there again, in microseconds since 1970. */
  readonly spent: number
  /** By all holds. */
  readonly held: number
}

/** What a hold has of a limit. */
export interface HeldPart {
  /** As it was when the call was admitted. */
  readonly limit: Pick<MeterLimit, 'id' | 'amount' | 'counts'>
  readonly held: number
  /** What the counter is charged with already: the estimate of a rate, the floor of a lost hold. */
  readonly charged: number
  /** The charge if the hold is lost. */
  readonly floor: number
}

/** What a take makes of a counter. */
interface Taking extends MeterCounter {
  /** Absent: the limit would not refuse. */
  readonly why?: MeterRefusal | undefined
  readonly retryAfterMs?: number | undefined
  /** Absent: the take is final. */
  readonly part?: HeldPart | undefined
}

/** How long a rate is remembered that is not used: longer than clocks are set back. */
const idleRateMs = 3_600_000

/** The name of the counter of a limit. Those of the periods of a budget differ. */
export function counterName({ id, counts }: Pick<MeterLimit, 'id' | 'counts'>): string {
  return counts.kind === 'budget' ? `budget ${counts.period}\n${id}` : `${counts.kind} ${id}`
}

/** When a counter that is written now may be forgotten, unless something is held; null: never. In milliseconds. */
export function counterExpiry({ counts }: Pick<MeterLimit, 'counts'>, now: number): number | null {
  switch (counts.kind) {
    case 'rate':
      return now + 2 * counts.windowMs + idleRateMs
    case 'budget':
      return counts.endsAt === undefined ? null : counts.endsAt + meterKeepsMs
    case 'concurrent':
      return now + meterKeepsMs
  }
}

/**
 * What a take makes of a counter, and whether its limit would refuse it. `own`: what the same hold holds of it already.
 * `now`: milliseconds since 1970.
 */
export function takeOf(take: MeterTake, counter: MeterCounter, own: number, now: number): Taking {
  const { counts } = take.limit
  switch (counts.kind) {
    case 'rate':
      return takeOfRate(take, counts.windowMs, counter, now)
    case 'budget': {
      const taking = takeOfBudget(take, counter, own)
      const waits = taking.why === 'spent' && counts.endsAt !== undefined
      return waits ? { ...taking, retryAfterMs: Math.max(0, counts.endsAt - now) } : taking
    }
    case 'concurrent': {
      const { limit, amount } = take
      const held = sum(counter.held, amount)
      const isOver = held > limit.amount || limit.amount === 0
      const part = partOf(limit, { held: amount })
      return { spent: 0, held, part, why: isOver ? 'concurrent' : undefined }
    }
  }
}

/** The generic cell rate algorithm: the state of a rate is a time, so that no timer refills it. */
function takeOfRate(
  { limit, amount, isFinal }: MeterTake,
  windowMs: number,
  { spent }: MeterCounter,
  now: number,
): Taking {
  const full = fullAt(spent, windowMs, now)
  const next = full + microsecondsOf(limit, windowMs, amount)
  // A call that is larger than the whole amount waits for all of it.
  const waitUs = amount > limit.amount ? full - now * 1_000 : next - (now + windowMs) * 1_000
  const taken = { spent: chargedWith(limit, { spent }, amount, now), held: 0 }
  const part = isFinal ? undefined : partOf(limit, { charged: amount })
  if (limit.amount === 0) return { ...taken, part, why: 'rate' }
  return waitUs > 0
    ? { ...taken, part, why: 'rate', retryAfterMs: Math.ceil(waitUs / 1_000) }
    : { ...taken, part }
}

function takeOfBudget(take: MeterTake, counter: MeterCounter, own: number): Taking {
  const { limit, amount, floor, isFinal } = take
  const { spent, held } = counter
  const fits = limit.amount > 0 && sum(spent, held, amount) <= limit.amount
  const why = fits ? undefined : refusalOfBudget(take, counter, own)
  if (isFinal) return { spent: sum(spent, amount), held, why }
  const rest = Math.max(0, limit.amount - spent - held)
  const taken = fits || why ? amount : rest
  return { spent, held: sum(held, taken), part: partOf(limit, { held: taken, floor }), why }
}

function partOf(
  { id, amount, counts }: MeterLimit,
  { held = 0, charged = 0, floor = 0 }: Partial<HeldPart>,
): HeldPart {
  return { limit: { id, amount, counts }, held, charged, floor }
}

/** Why a budget refuses a take that does not fit; `undefined`: the take has the rest. */
function refusalOfBudget(
  { limit, amount }: MeterTake,
  { spent, held }: MeterCounter,
  own: number,
): MeterRefusal | undefined {
  if (spent >= limit.amount) return 'spent'
  if (limit.strict) return sum(spent, own, amount) > limit.amount ? 'spent' : 'held'
  return held > own ? 'held' : undefined
}

/** What a counter is when a hold ends, of which its call has used `amount`. */
export function settled(
  { limit, held, charged }: HeldPart,
  counter: MeterCounter,
  amount: number,
  now: number,
): MeterCounter {
  return {
    spent: chargedWith(limit, counter, amount - charged, now),
    held: Math.max(0, counter.held - held),
  }
}

/** What is spent of a limit after a charge, or after the correction of one. */
export function chargedWith(
  limit: HeldPart['limit'],
  { spent }: Pick<MeterCounter, 'spent'>,
  amount: number,
  now: number,
): number {
  if (amount === 0) return spent
  switch (limit.counts.kind) {
    case 'rate': {
      const { windowMs } = limit.counts
      const moved = microsecondsOf(limit, windowMs, Math.abs(amount)) * Math.sign(amount)
      return fullAt(fullAt(spent, windowMs, now) + moved, windowMs, now)
    }
    case 'budget':
      return Math.max(0, sum(spent, amount))
    case 'concurrent':
      return 0
  }
}

/** A part of a hold that has expired: its floor is charged. */
export function lostPart({ limit, charged, floor }: HeldPart): HeldPart {
  return { limit, held: 0, charged: sum(charged, floor), floor: 0 }
}

/** Parts with another one, which a hold may have already. */
export function withPart(parts: readonly HeldPart[], added: HeldPart): HeldPart[] {
  const name = counterName(added.limit)
  const known = parts.find(({ limit }) => counterName(limit) === name)
  if (!known) return [...parts, added]
  const both = {
    limit: known.limit,
    held: sum(known.held, added.held),
    charged: sum(known.charged, added.charged),
    floor: sum(known.floor, added.floor),
  }
  return parts.map((part) => (part === known ? both : part))
}

/** What operators and callers see of a counter. */
export function stateOf(limit: MeterLimit, { spent, held }: MeterCounter, now: number): MeterState {
  const { counts, amount } = limit
  switch (counts.kind) {
    case 'rate': {
      const full = fullAt(spent, counts.windowMs, now)
      const used = Math.ceil(((full - now * 1_000) * amount) / (counts.windowMs * 1_000))
      const resetsAt = full > now * 1_000 ? Math.ceil(full / 1_000) : undefined
      return { spent: used, held: 0, remaining: Math.max(0, amount - used), resetsAt }
    }
    case 'budget': {
      const remaining = Math.max(0, amount - spent - held)
      return { spent, held, remaining, resetsAt: counts.endsAt }
    }
    case 'concurrent':
      return { spent: 0, held, remaining: Math.max(0, amount - held), resetsAt: undefined }
  }
}

/** The time that an amount of a rate takes to flow back. */
function microsecondsOf(
  { amount: most }: HeldPart['limit'],
  windowMs: number,
  amount: number,
): number {
  return most === 0 ? 0 : Math.floor((amount * windowMs * 1_000) / most)
}

/**
 * The time at which the whole amount of a rate is there: not before now, and at most one window beyond the burst, so
 * that one long answer, or a clock that is set back, locks no caller out for longer.
 */
function fullAt(spentUs: number, windowMs: number, now: number): number {
  return Math.min(Math.max(spentUs, now * 1_000), (now + 2 * windowMs) * 1_000)
}

/** Within the numbers that JavaScript, Lua and SQLite have exactly. */
function sum(...amounts: readonly number[]): number {
  return Math.min(
    greatestAmount,
    amounts.reduce((total, amount) => total + amount, 0),
  )
}
