import type { Limit } from '../../src/contract/quota.ts'
import type { LimitSet } from '../../src/limits/limit-set.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import { type Log, describeError } from '../../src/lib/log.ts'
import { RecentMap } from '../../src/lib/recent-map.ts'
import type {
  Meter,
  MeterAnswer,
  MeterAsk,
  MeterCharge,
  MeterEnd,
  MeterLimit,
  MeterState,
} from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import type { LeasableTake } from './lease.ts'
import { Leases, expiresMs, renewedMs } from './leases.ts'
import { OwnCounts } from './own-counts.ts'
import { Settlements } from './settlements.ts'

/** After a refusal, a client that asks again is likely to be refused again. In milliseconds. */
const momentMs = 10_000

/** Callers and end users name subjects. */
const remembered = 2_000

/** What a call takes of a limit. */
export interface Take extends LeasableTake {
  readonly limit: Limit
  readonly floor: number
}

/** What a call holds of one subject. */
export interface Hold {
  readonly id: string
  /** The name of the subject in the meter. */
  readonly subject: string
  readonly takes: Take[]
  /** Whether the store has failed for it, so that nothing says whether it has been taken. */
  isUnheld: boolean
}

/** The answer to an ask. `isStale`: this process has decided alone. */
export type Answer = MeterAnswer & { readonly isStale: boolean }

/** Options of `CallMeter`. */
interface CallMeterOptions {
  readonly meter: Meter
  readonly limits: Pick<LimitSet, 'get'>
  readonly log: Log
  /** The directory of settlements that wait. */
  readonly directory: string
  /** Names the store among others. */
  readonly storeUrl: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Called with what a settlement has charged, and the states behind it. */
  readonly onCharged: (charges: readonly ChargedLimit[]) => void
}

/** A charge and the limit's state behind it. */
export interface ChargedLimit extends MeterCharge {
  readonly source: Limit
  readonly subject: string
  readonly state: MeterState
}

/**
 * The meter for calls: renews what they hold, settles in the background, and decides for this process alone while the
 * store is away.
 */
export class CallMeter {
  /** The number of answers that this process has given alone. */
  degraded = 0
  readonly settlements: Settlements
  readonly #options: CallMeterOptions
  readonly #own: OwnCounts
  readonly #leases: Leases
  /** The holds of calls in flight that the store knows, by subject. */
  readonly #holds = new Map<string, Set<Hold>>()
  readonly #settling = new Set<Promise<void>>()
  readonly #refusedAt = new RecentMap<number>(remembered)
  #renewal: NodeJS.Timeout | undefined
  #isAway = false

  constructor(options: CallMeterOptions) {
    this.#options = options
    this.#own = new OwnCounts(options.now)
    this.#leases = new Leases({
      ...options,
      onCharged: (charged, states) => {
        this.#noteStore(true)
        this.#settled(charged, states)
      },
      onUnsettled: (lease) => this.settlements.add(lease),
      onFailed: (error) => this.#failed(error),
    })
    this.settlements = new Settlements({
      ...options,
      onSettled: (end, states) => this.#settled(end, states),
    })
  }

  /**
   * Takes all or nothing, and adds it to the hold. `undefined`: the store is away, and the spent amount is unknown.
   */
  admit(hold: Hold, takes: readonly Take[]): MaybePromise<Answer | undefined> {
    const states = this.#leases.take(hold.subject, takes)
    if (!states) return this.#ask(hold, takes)
    hold.takes.push(...takes)
    return { admitted: true, states, exceeded: none, isStale: false }
  }

  async #ask(hold: Hold, takes: readonly Take[]): Promise<Answer | undefined> {
    const ask: MeterAsk = {
      subject: hold.subject,
      hold: hold.id,
      expiresMs,
      takes: takes.map(({ meter, amount, floor }) => ({ limit: meter, amount, floor })),
    }
    // First, so that a call which ends meanwhile settles what it may have taken.
    this.#hold(hold, takes)
    try {
      const { meter } = this.#options
      let answer = await meter.admit(ask)
      if (!answer.admitted && (await this.#leases.rest(hold.subject)))
        answer = await meter.admit(ask)
      // What leases of this process have left is not in the way of its own calls.
      if (this.#isInWay(hold, takes, answer) && (await this.#leases.giveBack(hold.subject)))
        answer = await meter.admit(ask)
      this.#noteStore(true)
      this.#own.learn(hold.subject, limitsOf(takes), answer.states)
      if (!answer.admitted) {
        this.#unhold(hold, takes)
        this.#refusedAt.set(hold.subject, this.#options.now())
      } else this.#leases.admitted(hold.subject, takes, answer.states)
      return { ...answer, isStale: false }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      this.#noteStore(false)
      hold.isUnheld = true
      this.degraded++
      this.#release(hold, takes)
      const answer = this.#own.admit(ask, this.#leases)
      for (const { meter, amount } of takes) this.#own.hold(hold.subject, meter, amount)
      if (!answer?.admitted) this.#unhold(hold, takes)
      return answer && { ...answer, isStale: true }
    }
  }

  /**
   * Whether an ask is refused that would be admitted without what leases of this process have left. One that is refused
   * all the same must not take the leases from other calls.
   */
  #isInWay({ subject, takes: own }: Hold, takes: readonly Take[], answer: MeterAnswer): boolean {
    if (answer.admitted) return false
    return takes.every(({ meter, amount }, index) => {
      if (!meter.refuses) return true
      const { spent, held, remaining } = this.#leases.correct(subject, meter, answer.states[index]!)
      if (meter.amount > 0 && remaining >= Math.min(amount, meter.amount)) return true
      if (meter.counts.kind !== 'budget' || meter.strict || spent >= meter.amount) return false
      // The last call takes the rest of a budget.
      const ofCall = own.filter((one) => one.meter.id === meter.id && !one.part)
      return held <= ofCall.reduce((sum, one) => sum + (takes.includes(one) ? 0 : one.amount), 0)
    })
  }

  /**
   * Ends a hold in the background, once what outlives the call is `kept`. Limits without a charge get back what they
   * gave.
   */
  settle(hold: Hold, charges: readonly MeterCharge[], kept?: Promise<void>): void {
    if (kept) return this.#follow(kept.then(() => this.settle(hold, charges)))
    const own = this.#leases.settle(hold.takes, charges)
    const { subject, id, takes, isUnheld: unheld } = hold
    if (!unheld && takes.every(isLeased)) return
    this.#forget(hold)
    const end = { subject, hold: id, charges: own, ...(unheld && { unheld }) }
    this.#follow(
      this.#options.meter.settle(end).then(
        (states) => this.#settled(end, states),
        (error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error
          this.#noteStore(false)
          for (const { limit, amount } of own) this.#own.charge(subject, limit, amount)
          // The store may have settled, and only its answer is missing: a hold that is gone is charged once.
          this.settlements.add(end)
        },
      ),
    )
  }

  #follow(work: Promise<void>): void {
    this.#settling.add(work)
    void work
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#settling.delete(work))
  }

  /**
   * Takes a hold that outlives the call and is not renewed. No limit refuses it, since the call holds as much until it is
   * settled afterwards. Never rejects.
   */
  keep({ id, subject, takes }: Omit<Hold, 'isUnheld'>, expires: number): Promise<void> {
    const asked = takes.map(({ meter, amount, floor }) => {
      return { limit: { ...meter, refuses: false }, amount, floor }
    })
    const ask = { subject, hold: id, expiresMs: expires, takes: asked }
    return this.#options.meter.admit(ask).then(
      () => {},
      (error: unknown) => this.#failed(error),
    )
  }

  /** Whether a subject has refused a call a moment ago. */
  hasRefused(subject: string): boolean {
    const at = this.#refusedAt.get(subject)
    return at !== undefined && Math.abs(this.#options.now() - at) < momentMs
  }

  /** Reads limits behind all that calls of this process have used. */
  async read(subject: string, limits: readonly MeterLimit[]): Promise<readonly MeterState[]> {
    await this.#leases.rest(subject)
    const states = await this.#options.meter.read(subject, limits)
    return states.map((state, index) => this.#leases.correct(subject, limits[index]!, state))
  }

  /** Waits for settlements that are on their way. */
  async close(): Promise<void> {
    clearInterval(this.#renewal)
    while (this.#settling.size > 0) await Promise.allSettled(this.#settling)
    await this.#leases.close()
    await this.settlements.close()
  }

  #hold(hold: Hold, takes: readonly Take[]): void {
    hold.takes.push(...takes)
    for (const { meter, amount } of takes) this.#own.hold(hold.subject, meter, amount)
    const known = this.#holds.get(hold.subject)
    if (known) known.add(hold)
    else this.#holds.set(hold.subject, new Set([hold]))
    this.#renewal ??= setInterval(() => this.#renew(), renewedMs).unref()
  }

  #release({ subject }: Hold, takes: readonly Take[]): void {
    for (const { meter, amount, part } of takes) if (!part) this.#own.hold(subject, meter, -amount)
  }

  /**
   * Learns the states that a settlement returns, and passes on its charges. A settlement that waited, perhaps from a
   * former process, has only the ids of its limits.
   */
  #settled(
    { subject, charges }: Pick<MeterEnd, 'subject' | 'charges'>,
    states: readonly MeterState[],
  ): void {
    this.#own.learn(
      subject,
      charges.map(({ limit }) => limit),
      states,
    )
    const charged = charges.flatMap((charge, index) => {
      const state = states[index]
      const source = this.#options.limits.get(charge.limit.id)
      return state && source ? [{ ...charge, subject, source, state }] : []
    })
    this.#options.onCharged(charged)
  }

  /** The takes of a refused ask. */
  #unhold(hold: Hold, takes: readonly Take[]): void {
    this.#release(hold, takes)
    const refused = new Set(takes)
    const kept = hold.takes.filter((take) => !refused.has(take))
    hold.takes.splice(0, hold.takes.length, ...kept)
    if (kept.every(isLeased) && !hold.isUnheld) this.#forget(hold)
  }

  #forget(hold: Hold): void {
    const known = this.#holds.get(hold.subject)
    if (!known?.delete(hold)) return
    this.#release(hold, hold.takes)
    if (known.size === 0) this.#holds.delete(hold.subject)
  }

  #failed(error: unknown): void {
    if (error instanceof StoreUnavailable) return this.#noteStore(false)
    this.#options.log.error('a limit cannot be settled', describeError(error))
  }

  #renew(): void {
    for (const [subject, holds] of this.#holds) {
      const ids = Array.from(holds, ({ id }) => id)
      // A store that is away for long loses the holds: their floors are charged until the settlements come.
      void this.#options.meter.renew(subject, ids, expiresMs).catch(() => this.#noteStore(false))
    }
  }

  #noteStore(answers: boolean): void {
    if (this.#isAway === !answers) return
    this.#isAway = !answers
    if (answers) this.#options.log.info('limits are counted in the store again')
    else this.#options.log.error('the store failed: this process counts limits alone')
  }
}

function limitsOf(takes: readonly Take[]): MeterLimit[] {
  return takes.map(({ meter }) => meter)
}

const none: readonly number[] = []

function isLeased({ part }: LeasableTake): boolean {
  return part !== undefined
}
