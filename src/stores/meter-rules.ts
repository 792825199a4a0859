import { type WireLimit, type WireState, type WireTake, wireLimit } from './meter-wire.ts'
import {
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

/**
 * What a hold has of a limit, as the limit was at the admission. `charged`: what the counter is charged with already,
 * the estimate of a rate or the floor of a lost hold. `floor`: the charge if the hold is lost.
 */
export type HeldPart = readonly [limit: WireLimit, held: number, charged: number, floor: number]

/** What a take makes of a counter. */
interface Taking extends MeterCounter {
  /** Absent: the limit would not refuse. */
  readonly why?: MeterRefusal | undefined
  readonly retryAfterMs?: number | undefined
  readonly part: HeldPart
}

/** How long a rate is remembered that is not used: longer than clocks are set back. */
const idleRateMs = 3_600_000

/** The name of the counter of a limit. Each period of a budget has a counter of another name. */
export function counterName([id, , kind, span]: WireLimit): string {
  return kind === 'budget' ? `budget ${span}\n${id}` : `${kind} ${id}`
}

/** When a counter that is written now may be forgotten, unless something is held; null: never. In milliseconds. */
export function counterExpiry([, , kind, span, endsAt]: WireLimit, now: number): number | null {
  if (kind === 'rate') return now + 2 * Number(span) + idleRateMs
  if (kind === 'budget') return endsAt === false ? null : endsAt + meterKeepsMs
  return now + meterKeepsMs
}

/**
 * What a take makes of a counter, and whether its limit would refuse it. `own`: what the same hold holds of it already.
 * `now`: milliseconds since 1970.
 */
export function takeOf(take: WireTake, counter: MeterCounter, own: number, now: number): Taking {
  const [limit, amount] = take
  const [, most, kind, , endsAt] = limit
  if (kind === 'rate') return takeOfRate(take, counter, now)
  if (kind === 'concurrent') {
    const held = sum(counter.held, amount)
    const why = held > most || most === 0 ? 'concurrent' : undefined
    return { spent: 0, held, part: [limit, amount, 0, 0], why }
  }
  const taking = takeOfBudget(take, counter, own)
  const waits = taking.why === 'spent' && endsAt !== false
  return waits ? { ...taking, retryAfterMs: Math.max(0, endsAt - now) } : taking
}

/**
 * Why a limit in a state would refuse a take, of which nothing is taken; `undefined`: it would not. `now`: milliseconds
 * since 1970.
 */
export function refusalIn(
  { limit, amount, floor }: MeterTake,
  { spent, held, resetsAt }: MeterState,
  now: number,
): (Pick<Taking, 'retryAfterMs'> & { readonly why: MeterRefusal }) | undefined {
  if (!limit.refuses) return undefined
  const counter = { spent: limit.counts.kind === 'rate' ? (resetsAt ?? now) * 1_000 : spent, held }
  const { why, retryAfterMs } = takeOf([wireLimit(limit), amount, floor], counter, 0, now)
  return why && { why, retryAfterMs }
}

/** The generic cell rate algorithm: the state of a rate is a time, so that no timer refills it. */
function takeOfRate([limit, amount]: WireTake, { spent }: MeterCounter, now: number): Taking {
  const [, most, , span] = limit
  const windowUs = Number(span) * 1_000
  const full = fullAt(spent, windowUs, now)
  const next = full + microsecondsOf(most, windowUs, amount)
  // A call that is larger than the whole amount waits for all of it.
  const waitUs = amount > most ? full - now * 1_000 : next - now * 1_000 - windowUs
  const part: HeldPart = [limit, 0, amount, 0]
  const taken = { spent: chargedWith(limit, spent, amount, now), held: 0, part }
  if (most === 0) return { ...taken, why: 'rate' }
  return waitUs > 0 ? { ...taken, why: 'rate', retryAfterMs: Math.ceil(waitUs / 1_000) } : taken
}

/**
 * What a rate is if a clock that was set back has left it further ahead than a rate may be; `undefined`: it has not. A
 * refused ask saves it, or callers were locked out until the former time.
 */
export function setBack(
  [, , kind, span]: WireLimit,
  { spent, held }: MeterCounter,
  now: number,
): MeterCounter | undefined {
  if (kind !== 'rate') return undefined
  const full = fullAt(spent, Number(span) * 1_000, now)
  return full < spent ? { spent: full, held } : undefined
}

function takeOfBudget(take: WireTake, counter: MeterCounter, own: number): Taking {
  const [limit, amount, floor] = take
  const [, most] = limit
  const { spent, held } = counter
  const fits = most > 0 && sum(spent, held, amount) <= most
  const why = fits ? undefined : refusalOfBudget(take, counter, own)
  const taken = fits || why ? amount : Math.max(0, most - spent - held)
  return { spent, held: sum(held, taken), part: [limit, taken, 0, floor], why }
}

/** Why a budget refuses a take that does not fit; `undefined`: the take has the rest. */
function refusalOfBudget(
  [[, most, , , , , isStrict], amount]: WireTake,
  { spent, held }: MeterCounter,
  own: number,
): MeterRefusal | undefined {
  if (spent >= most) return 'spent'
  if (isStrict) return sum(spent, own, amount) > most ? 'spent' : 'held'
  return held > own ? 'held' : undefined
}

/** What a counter is when a hold ends, of which its call has used `amount`. */
export function settled(
  [limit, held, charged]: HeldPart,
  counter: MeterCounter,
  amount: number,
  now: number,
): MeterCounter {
  return {
    spent: chargedWith(limit, counter.spent, amount - charged, now),
    held: Math.max(0, counter.held - held),
  }
}

/** What is spent of a limit after a charge, or after the correction of one. */
export function chargedWith(
  [, most, kind, span]: WireLimit,
  spent: number,
  amount: number,
  now: number,
): number {
  if (amount === 0) return spent
  if (kind === 'budget') return Math.max(0, sum(spent, amount))
  if (kind === 'concurrent') return 0
  const windowUs = Number(span) * 1_000
  const moved = microsecondsOf(most, windowUs, Math.abs(amount)) * Math.sign(amount)
  return fullAt(fullAt(spent, windowUs, now) + moved, windowUs, now)
}

/**
 * What a lease makes of a counter and of its part, when its calls have used `used` since it began and it `holds` so much.
 * What it has of a rate is taken anew: otherwise it would flow back before calls use it.
 */
export function leased(
  limit: WireLimit,
  [, held, charged]: HeldPart,
  counter: MeterCounter,
  [used, holds]: readonly [used: number, holds: number],
  now: number,
): MeterCounter & { readonly part: HeldPart } {
  const spent = chargedWith(limit, counter.spent, used - charged, now)
  if (limit[2] === 'rate') {
    const taken = chargedWith(limit, spent, holds, now)
    return { spent: taken, held: 0, part: [limit, 0, sum(used, holds), 0] }
  }
  const left = sum(Math.max(0, counter.held - held), holds)
  return { spent, held: left, part: [limit, holds, used, limit[2] === 'budget' ? holds : 0] }
}

/** What an expired hold makes of a counter: its floor is charged. */
export function lost([limit, held, , floor]: HeldPart, counter: MeterCounter): MeterCounter {
  const spent = limit[2] === 'budget' ? sum(counter.spent, floor) : counter.spent
  return { spent, held: Math.max(0, counter.held - held) }
}

/** A part of a hold that has expired. */
export function lostPart([limit, , charged, floor]: HeldPart): HeldPart {
  return [limit, 0, sum(charged, floor), 0]
}

/** Parts with another one, which a hold may have already. */
export function withPart(parts: readonly HeldPart[], added: HeldPart): HeldPart[] {
  const [limit, held, charged, floor] = added
  const index = indexOfPart(parts, limit)
  const known = parts[index]
  if (!known) return [...parts, added]
  return parts.with(index, [
    known[0],
    sum(known[1], held),
    sum(known[2], charged),
    sum(known[3], floor),
  ])
}

/** Where a hold has its part of a limit in a period; -1: it has none. */
export function indexOfPart(parts: readonly HeldPart[], limit: WireLimit): number {
  if (parts.length === 0) return -1
  const name = counterName(limit)
  return parts.findIndex(([one]) => counterName(one) === name)
}

/** What operators and callers see of a counter. */
export function stateOf(
  [, amount, kind, span, endsAt]: WireLimit,
  { spent, held }: MeterCounter,
  now: number,
): WireState {
  if (kind === 'budget') return [spent, held, Math.max(0, amount - spent - held), endsAt]
  if (kind === 'concurrent') return [0, held, Math.max(0, amount - held), false]
  const windowUs = Number(span) * 1_000
  const full = fullAt(spent, windowUs, now)
  const used = Math.ceil(((full - now * 1_000) * amount) / windowUs)
  const resetsAt = full > now * 1_000 && Math.ceil(full / 1_000)
  return [used, 0, Math.max(0, amount - used), resetsAt]
}

/** The time that an amount of a rate takes to flow back. */
function microsecondsOf(most: number, windowUs: number, amount: number): number {
  return most === 0 ? 0 : Math.floor((amount * windowUs) / most)
}

/**
 * The time at which the whole amount of a rate is there: not before now, and at most one window beyond the burst, so
 * that one long answer, or a clock that is set back, locks no caller out for longer.
 */
function fullAt(spentUs: number, windowUs: number, now: number): number {
  return Math.min(Math.max(spentUs, now * 1_000), now * 1_000 + 2 * windowUs)
}

/** Within the numbers that JavaScript, Lua and SQLite have exactly. */
function sum(one: number, other: number, third = 0): number {
  return Math.min(greatestAmount, one + other + third)
}
