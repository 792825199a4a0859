import type {
  Meter,
  MeterCharge,
  MeterEnd,
  MeterLimit,
  MeterState,
} from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { type LeasableTake, Lease } from './lease.ts'

/** How long a hold outlives its process, and how often it is renewed, in milliseconds. */
export const [expiresMs, renewedMs] = [120_000, 40_000]

/** The time between two writes of leases to the store, in milliseconds. */
const everyMs = 100

/** A subject that asks the store so often within that time is busy. */
const busyAsks = 16

/** The pause after a failure of the store, in milliseconds. */
const pauseMs = 1_000

/** A store forgets a hold that has expired. A late settlement must not charge it again. In milliseconds. */
const keptMs = 86_400_000

/** Options of `Leases`. */
interface LeasesOptions {
  readonly meter: Pick<Meter, 'lease' | 'settle'>
  /** Called with what the store has charged, and the states behind it. */
  readonly onCharged: (
    charged: Pick<MeterEnd, 'subject' | 'charges'>,
    states: readonly MeterState[],
  ) => void
  /** Called with an end that the store has perhaps not taken. */
  readonly onUnsettled: (end: MeterEnd) => void
  readonly onFailed: (error: unknown) => void
}

/**
 * Leases of busy subjects: a process takes of the store what the next calls will want, and admits them from it at once.
 * The store counts a lease as held, so that nothing is overspent, and is asked ten times a second instead of twice a
 * call. Near the end of a limit there is no lease, and the store decides about each call.
 */
export class Leases {
  readonly #options: LeasesOptions
  /** The leases of which calls take, by subject. */
  readonly #open = new Map<string, Lease>()
  readonly #all = new Set<Lease>()
  /** How often subjects have asked the store since the last look. */
  readonly #asks = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** Takes all or nothing of the lease of a subject. Returns the states; `undefined`: the store is to be asked. */
  take(subject: string, takes: readonly LeasableTake[]): MeterState[] | undefined {
    return this.#open.get(subject)?.take(takes)
  }

  /** Notes that the store has admitted a call: a busy subject gets a lease. */
  admitted(subject: string, takes: readonly LeasableTake[], states: readonly MeterState[]): void {
    if (this.#isClosed) return
    this.#timer ??= setInterval(() => this.#look(), everyMs).unref()
    const asks = (this.#asks.get(subject) ?? 0) + 1
    this.#asks.set(subject, asks)
    let lease = this.#open.get(subject)
    if (!lease) {
      if (asks < busyAsks) return
      lease = new Lease(subject)
      this.#open.set(subject, lease)
      this.#all.add(lease)
    }
    if (!lease.note(takes, states)) this.#close(lease)
  }

  /**
   * Ends what a call has taken of leases. Returns the charges that belong to its own hold: a limit is charged once, and
   * where the call holds some of it itself, there.
   */
  settle(takes: readonly LeasableTake[], charges: readonly MeterCharge[]): readonly MeterCharge[] {
    const left = [...charges]
    for (const { meter, amount, part } of takes) {
      if (!part) continue
      const isHeld = takes.some((one) => !one.part && one.meter.id === meter.id)
      const index = isHeld ? -1 : left.findIndex(({ limit }) => limit.id === meter.id)
      part.end(amount, index < 0 ? 0 : left.splice(index, 1)[0]!.amount)
      if (part.free < 0) void this.#tell(part.lease)
    }
    return left
  }

  /** What leases have of a limit: held, and used without the knowledge of the store. */
  of(subject: string, limit: MeterLimit): { readonly held: number; readonly used: number } {
    const sum = { held: 0, used: 0 }
    for (const lease of this.#all) {
      if (lease.subject !== subject) continue
      for (const part of lease.parts.values()) {
        if (!isSameCounter(part.limit, limit)) continue
        sum.held += part.taken + Math.max(0, part.free)
        sum.used += part.uncounted
      }
    }
    return sum
  }

  /** Waits until the store knows what it is being told. Returns whether anything was under way. */
  async rest(subject: string): Promise<boolean> {
    const works = [...this.#all].flatMap((one) =>
      one.subject === subject && one.work ? [one.work] : [],
    )
    await Promise.all(works)
    return works.length > 0
  }

  /** A state of the store as it would be if leases had given back what calls do not need, and charged what they have used. */
  correct(subject: string, limit: MeterLimit, state: MeterState): MeterState {
    let corrected = state
    for (const lease of this.#all) {
      if (lease.subject !== subject) continue
      for (const part of lease.parts.values())
        if (isSameCounter(part.limit, limit)) corrected = part.correct(corrected, limit)
    }
    return corrected
  }

  /**
   * Gives back what calls in flight do not need, and charges what calls have used. Returns whether there was anything to
   * tell.
   */
  async giveBack(subject: string): Promise<boolean> {
    const own = [...this.#all].filter(
      (lease) => lease.subject === subject && (lease.isOpen || lease.isBehind),
    )
    await Promise.all(
      own.map(async (lease) => {
        this.#close(lease)
        await lease.work
        await this.#tell(lease)
      }),
    )
    return own.length > 0
  }

  /** Ends all leases. A call that is still in flight is charged what it has taken. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const endAll = async (lease: Lease) => {
      this.#close(lease)
      while (this.#all.has(lease)) {
        for (const part of lease.parts.values())
          part.end(part.taken, part.limit.counts.kind === 'concurrent' ? 0 : part.taken)
        lease.restsUntil = 0
        await this.#tell(lease)
      }
    }
    await Promise.all(Array.from(this.#all, endAll))
  }

  #close(lease: Lease): void {
    lease.isOpen = false
    if (this.#open.get(lease.subject) === lease) this.#open.delete(lease.subject)
  }

  #look(): void {
    if (this.#asks.size + this.#all.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    this.#asks.clear()
    const renewsAt = performance.now() - renewedMs
    for (const lease of this.#all) {
      if (!lease.isAsked) this.#close(lease)
      lease.isAsked = false
      if (lease.isOpen || lease.isOver || lease.isBehind || lease.heldAt < renewsAt)
        void this.#tell(lease)
    }
  }

  /** Tells the store what calls have used and hold, one time after another. Never rejects. */
  async #tell(lease: Lease): Promise<void> {
    if (lease.work) return lease.work
    if (performance.now() < lease.restsUntil || !this.#all.has(lease)) return
    const isLast = this.#isClosed && lease.hasFailed
    const isOver = lease.isOver && (isLast || !lease.isBehind)
    const work = isOver
      ? this.#end(lease).finally(() => this.#all.delete(lease))
      : this.#renew(lease)
    lease.work = work.catch((error: unknown) => {
      this.#close(lease)
      lease.hasFailed = true
      lease.restsUntil = performance.now() + pauseMs
      this.#options.onFailed(error)
    })
    await lease.work
    lease.work = undefined
  }

  async #renew(lease: Lease): Promise<void> {
    const { subject, hold, isOpen } = lease
    const parts = [...lease.parts.values()]
    const asked = parts.map((part) => part.ask(isOpen))
    const at = performance.now()
    const { isWider, states } = await this.#options.meter.lease({
      subject,
      hold,
      expiresMs,
      parts: asked,
    })
    lease.heldAt = at
    lease.restsUntil = 0
    if (!isWider) this.#close(lease)
    for (const [index, part] of parts.entries()) part.learn(asked[index]!, isWider, states[index]!)
    const charges = asked.map(({ limit, used, charged }) => ({ limit, amount: used - charged }))
    this.#options.onCharged({ subject, charges }, states)
  }

  /** Ends the hold. The store has been told all amounts, unless it is away at the end of the process. */
  async #end({ subject, hold, hasFailed, heldAt, parts }: Lease): Promise<void> {
    const charges = [...parts.values()].map(({ limit, used: amount }) => ({ limit, amount }))
    const isKnown = performance.now() - heldAt < keptMs
    // The mark of an unheld settlement stops an operation that has failed, and comes late.
    const end = { subject, hold, charges, ...(hasFailed && isKnown && { unheld: true }) }
    try {
      await this.#options.meter.settle(end)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      this.#options.onUnsettled(end)
    }
  }
}

/** Whether limits count in one counter: each period of a budget has its own. */
function isSameCounter(one: MeterLimit, other: MeterLimit): boolean {
  if (one.id !== other.id) return false
  if (one.counts.kind !== 'budget' || other.counts.kind !== 'budget') return true
  return one.counts.period === other.counts.period
}
