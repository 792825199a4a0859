import { randomUUID } from 'node:crypto'

import {
  type MeterLeasePart,
  type MeterLimit,
  type MeterState,
  greatestAmount,
  leaseShare,
} from '../../src/stores/meter.ts'

/** The limits of a lease: an operation of the store names no more. */
const mostParts = 50

/** A lease wants so many times what calls have asked for since the last time, and the store so many times that. */
const wantedTimes = 2
const wantedShare = wantedTimes * leaseShare

/** What a call takes of a limit. */
export interface LeasableTake {
  readonly meter: MeterLimit
  readonly amount: number
  /** Where it is taken of a lease. */
  part?: LeasedPart | undefined
}

/** What a lease has of a limit. */
class LeasedPart {
  readonly lease: Lease
  readonly limit: MeterLimit
  /** What calls may still take. Below 0: calls have used more than they took. */
  free = 0
  /** What calls in flight have taken. */
  taken = 0
  /** What calls that have ended have used. */
  used = 0
  /** What calls have asked for since the store was asked. */
  wanted = 0
  /** The part of earlier amounts that calls may want again: half of it each time, since calls come in bursts. */
  #usual = 0
  /** At the last answer of the store: the limit, and what it had counted as used and held of this lease. */
  #state: MeterState
  #counted = 0
  #held = 0

  constructor(lease: Lease, limit: MeterLimit, state: MeterState) {
    this.lease = lease
    this.limit = limit
    this.#state = state
  }

  /** What is used and not yet counted by the store. A rate counts what calls take, and corrects it at their end. */
  get uncounted(): number {
    return this.used + (this.#isRate ? this.taken : 0) - this.#counted
  }

  /** Whether the store knows something else than what calls have used and hold. */
  get isBehind(): boolean {
    return this.uncounted !== 0 || this.#held !== this.#inFlight
  }

  end(amount: number, used: number): void {
    this.taken -= amount
    this.used = Math.min(this.used + used, greatestAmount)
    this.free += amount - used
  }

  /** What the store is asked for. */
  ask(isOpen: boolean): MeterLeasePart {
    this.#usual = Math.max(this.wanted, this.#usual / 2)
    const target = isOpen ? Math.min(wantedTimes * Math.ceil(this.#usual), greatestAmount) : 0
    this.wanted = 0
    // The rest goes back: no call may take it while the store is asked.
    this.free = Math.min(Math.max(0, this.free), target)
    return {
      limit: this.limit,
      used: Math.min(this.#counted + this.uncounted, greatestAmount),
      charged: this.#counted,
      kept: Math.min(this.#inFlight + this.free, greatestAmount),
      wanted: target - this.free,
    }
  }

  learn({ used, kept, wanted }: MeterLeasePart, isWider: boolean, state: MeterState): void {
    const given = isWider ? wanted : 0
    this.free += given
    this.#counted = used
    this.#held = kept + given
    this.#state = state
  }

  /** The limit now, with what calls have taken and used since the last answer. */
  get state(): MeterState {
    return this.correct(this.#state)
  }

  /** A state of the store, with what calls have taken and used instead of what the store has counted of this lease. */
  correct(
    { spent, held, remaining, resetsAt }: MeterState,
    { amount, counts }: MeterLimit = this.limit,
  ): MeterState {
    const { uncounted } = this
    if (counts.kind === 'rate') {
      const more = uncounted - this.#held
      const left = Math.min(amount, Math.max(0, remaining - more))
      const laterMs = Math.ceil((more * counts.windowMs) / amount)
      const full = resetsAt === undefined || left === amount ? undefined : resetsAt + laterMs
      return { spent: amount - left, held: 0, remaining: left, resetsAt: full }
    }
    const [used, holds] = [spent + uncounted, held - this.#held + this.taken]
    return { spent: used, held: holds, remaining: Math.max(0, amount - used - holds), resetsAt }
  }

  get #isRate(): boolean {
    return this.limit.counts.kind === 'rate'
  }

  get #inFlight(): number {
    return this.#isRate ? 0 : this.taken
  }
}

/**
 * What a process has taken of the limits of a busy subject, for its next calls. Its hold in the store covers all that its
 * calls hold and may take, and what they have used since the store was told.
 */
export class Lease {
  readonly subject: string
  readonly hold = `lease:${randomUUID()}`
  readonly parts = new Map<MeterLimit, LeasedPart>()
  /** Whether calls take of it. A closed one covers calls in flight alone. */
  isOpen = true
  /** Whether a call has asked since the last look. */
  isAsked = true
  /** Whether an operation of the store has failed, which it may still do. */
  hasFailed = false
  /** When the store has answered last. Times are milliseconds of `performance.now()`. */
  heldAt = performance.now()
  /** The store, which has failed, is not asked before. 0: it has not failed since. */
  restsUntil = 0
  /** The operation of the store that is under way. */
  work: Promise<void> | undefined

  constructor(subject: string) {
    this.subject = subject
  }

  /** Takes all or nothing. Returns the states; `undefined`: the store is to be asked. */
  take(takes: readonly LeasableTake[]): MeterState[] | undefined {
    this.isAsked = true
    // A call that a lease can never admit, as it has too many limits or is too large, asks for nothing of it.
    if (takes.some((take) => !this.#mayHave(take))) return undefined
    let fits = true
    for (const { meter, amount } of takes) {
      const part = this.parts.get(meter)!
      part.wanted += amount
      if (part.free < amount) fits = false
    }
    if (!fits) return undefined
    return takes.map((take) => {
      const part = this.parts.get(take.meter)!
      part.free -= take.amount
      part.taken += take.amount
      take.part = part
      return part.state
    })
  }

  #mayHave({ meter, amount }: LeasableTake): boolean {
    const part = this.parts.get(meter)
    return part !== undefined && (amount <= part.free || amount * wantedShare <= meter.amount)
  }

  /**
   * Notes limits of the subject. Returns false for one that has another amount or period now: a lease of the former one
   * is over.
   */
  note(takes: readonly LeasableTake[], states: readonly MeterState[]): boolean {
    for (const [index, { meter }] of takes.entries()) {
      if (this.parts.has(meter)) continue
      if (this.parts.values().some(({ limit }) => limit.id === meter.id)) return false
      const state = states[index]
      if (state && this.parts.size < mostParts)
        this.parts.set(meter, new LeasedPart(this, meter, state))
    }
    return true
  }

  /** Whether the store is to be told of a closed one. */
  get isBehind(): boolean {
    return this.restsUntil > 0 || this.parts.values().some((part) => part.isBehind)
  }

  /** Whether it is closed, and no call in flight has taken of it. */
  get isOver(): boolean {
    return !this.isOpen && this.parts.values().every(({ taken }) => taken === 0)
  }
}
