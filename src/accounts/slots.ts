import type { Account } from '../contract/account.ts'
import { Declined } from '../contract/attempt.ts'
import type { Exclusion } from '../contract/call.ts'

/** The rule that excludes accounts without a free slot. */
export const slotRule = 'concurrency'

/** No one knows when a slot becomes free: a client asks again after this time, in milliseconds. */
const waitMs = 1_000

/** The account of a slot. */
type Limited = Pick<Account, 'id' | 'maxConcurrent'>

/**
 * The slots of accounts that serve a limited number of calls at once (`maxConcurrent`), in this process. A
 * slot belongs to an id, so that a changed account does not begin with free slots.
 */
export class AccountSlots {
  /** Whether calls at accounts without a limit take a slot too, so that `taken` counts them. */
  countsAll = false
  readonly #taken = new Map<string, number>()

  /** Whether an account has a limit and has reached it. */
  isFull({ id, maxConcurrent }: Limited): boolean {
    return maxConcurrent !== undefined && this.taken(id) >= maxConcurrent
  }

  /** The number of slots that calls hold at an account. */
  taken(id: string): number {
    return this.#taken.get(id) ?? 0
  }

  /** Takes a slot; `undefined` for an account that needs none. Throws `Declined` if all are taken. */
  take(account: Limited): Slot | undefined {
    const { id, maxConcurrent } = account
    if (maxConcurrent === undefined && !this.countsAll) return undefined
    const taken = this.taken(id)
    if (maxConcurrent !== undefined && taken >= maxConcurrent) throw declined(account)
    this.#taken.set(id, taken + 1)
    return new Slot(() => this.#free(id))
  }

  #free(id: string): void {
    const left = this.taken(id) - 1
    if (left > 0) this.#taken.set(id, left)
    else this.#taken.delete(id)
  }
}

/** Slots without a limit, of which no one is taken. */
export class FreeSlots extends AccountSlots {
  override isFull(): boolean {
    return false
  }

  override take(): undefined {
    return undefined
  }
}

/** The right to one call at an account. It ends when its last holder releases it. */
export class Slot {
  readonly #free: () => void
  #holders = 1

  constructor(free: () => void) {
    this.#free = free
  }

  /** Adds a holder, which releases the slot later. */
  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#holders === 0) this.#free()
  }
}

/** Why an account at its limit cannot serve a call. */
export function atLimit(account: Limited): Exclusion {
  return { account: account.id, by: slotRule, ...detailsOf(account) }
}

function declined(account: Limited): Declined {
  const { reason, ...details } = detailsOf(account)
  return new Declined(slotRule, reason, details)
}

function detailsOf({ maxConcurrent = 0 }: Limited) {
  const calls = maxConcurrent === 1 ? '1 call' : `${maxConcurrent} calls`
  const reason = `it is at its limit of ${calls} at once`
  return { reason, untilMs: Date.now() + waitMs, status: 429 }
}
