import type { Leases } from './leases.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'
import type {
  MeterAnswer,
  MeterAsk,
  MeterLimit,
  MeterState,
  MeterTake,
} from '../../src/stores/meter.ts'

/** How long the last sum from the store decides about budgets while the store is away, in milliseconds. */
const sumHoldsMs = 60_000

/** End users and keys of callers name counters. */
const remembered = 20_000

interface KnownSum {
  readonly spent: number
  /** When the store returned the sum, in milliseconds since 1970. */
  readonly at: number
}

/**
 * What this process counts itself, for the time in which the store is away: rates of its own calls, its calls at
 * once, and the budgets by the last sums from the store.
 */
export class OwnCounts {
  readonly #sums = new RecentMap<KnownSum>(remembered)
  /** When the whole amount of each rate is there again. */
  readonly #fullAt = new RecentMap<number>(remembered)
  readonly #held = new Map<string, number>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Keeps the sums that the store has returned. */
  learn(subject: string, limits: readonly MeterLimit[], states: readonly MeterState[]): void {
    const at = this.#now()
    for (const [index, { id, counts }] of limits.entries()) {
      const state = states[index]
      if (state && counts.kind === 'budget')
        this.#sums.set(nameOf(subject, id, counts.period), { spent: state.spent, at })
    }
  }

  /** Notes what a call holds, or with a negative amount no longer holds. */
  hold(subject: string, { id, counts }: MeterLimit, amount: number): void {
    if (counts.kind === 'rate') return
    const name = nameOf(subject, id, periodOf(counts))
    const held = (this.#held.get(name) ?? 0) + amount
    if (held > 0) this.#held.set(name, held)
    else this.#held.delete(name)
  }

  /** Notes a charge of which the store does not know. */
  charge(subject: string, { id, counts }: MeterLimit, amount: number): void {
    if (counts.kind !== 'budget') return
    const name = nameOf(subject, id, counts.period)
    const known = this.#sums.get(name)
    if (known) this.#sums.set(name, { ...known, spent: known.spent + amount })
  }

  /** Decides as the meter would; `undefined`: the spent amount is unknown. */
  admit({ subject, takes }: MeterAsk, leases: Pick<Leases, 'of'>): MeterAnswer | undefined {
    const states: MeterState[] = []
    const exceeded: number[] = []
    for (const [index, take] of takes.entries()) {
      const found = this.#try(subject, take, leases.of(subject, take.limit))
      if (!found) return undefined
      states.push(found.state)
      const { why } = found
      if (why === undefined) continue
      if (take.limit.refuses)
        return { admitted: false, refusedBy: index, why, retryAfterMs: found.retryAfterMs, states }
      exceeded.push(index)
    }
    for (const { limit, amount } of takes) this.#takeRate(subject, limit, amount)
    return { admitted: true, states, exceeded }
  }

  #try(
    subject: string,
    { limit, amount }: MeterTake,
    leased: ReturnType<Leases['of']>,
  ): Tried | undefined {
    const { id, counts, amount: most, refuses, strict } = limit
    const at = this.#now()
    const name = nameOf(subject, id, periodOf(counts))
    const held = (this.#held.get(name) ?? 0) + leased.held
    if (counts.kind === 'concurrent') {
      const state = stateOf(most, 0, held, undefined)
      return held + amount > most ? { state, why: 'concurrent' } : { state }
    }
    if (counts.kind === 'rate') {
      const full = Math.max(this.#fullAt.get(name) ?? at, at)
      const used = most === 0 ? 0 : Math.ceil(((full - at) / counts.windowMs) * most)
      const state = stateOf(most, used, 0, full)
      if (most === 0) return { state, why: 'rate' }
      const wait =
        amount > most
          ? full - at
          : full + (amount * counts.windowMs) / most - (at + counts.windowMs)
      return wait > 0 ? { state, why: 'rate', retryAfterMs: Math.ceil(wait) } : { state }
    }
    const known = this.#sums.get(name)
    const spent = (known?.spent ?? 0) + leased.used
    const state = stateOf(most, spent, held, counts.endsAt)
    if (!refuses) return { state }
    if (strict || !known || at - known.at > sumHoldsMs) return undefined
    if (most > 0 && spent + held + amount <= most) return { state }
    if (spent >= most) return { state, why: 'spent' }
    return held > 0 ? { state, why: 'held' } : { state }
  }

  #takeRate(subject: string, { id, counts, amount: most }: MeterLimit, amount: number): void {
    if (counts.kind !== 'rate' || most === 0) return
    const at = this.#now()
    const name = nameOf(subject, id, '')
    const full = Math.max(this.#fullAt.get(name) ?? at, at)
    const next = full + (amount * counts.windowMs) / most
    this.#fullAt.set(name, Math.min(next, at + 2 * counts.windowMs))
  }
}

interface Tried {
  readonly state: MeterState
  readonly why?: Extract<MeterAnswer, { admitted: false }>['why']
  readonly retryAfterMs?: number
}

function periodOf(counts: MeterLimit['counts']): string {
  return counts.kind === 'budget' ? counts.period : ''
}

function nameOf(subject: string, id: string, period: string): string {
  return `${subject}\n${id}\n${period}`
}

function stateOf(
  amount: number,
  spent: number,
  held: number,
  resetsAt: number | undefined,
): MeterState {
  return { spent, held, remaining: Math.max(0, amount - spent - held), resetsAt }
}
