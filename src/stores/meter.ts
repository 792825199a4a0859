/**
 * Counts what limits measure, for all processes on the store. Limits belong to subjects; each operation is one step
 * on one subject, despite concurrent ones. Every call rejects with `StoreUnavailable` when the store fails, and then
 * it may be done or not.
 */
export interface Meter {
  /** Takes all or nothing. A second ask with the same hold adds to it. */
  admit(ask: MeterAsk): Promise<MeterAnswer>
  /**
   * Ends a hold: charges what the call has really used, in the period in which the hold began. Changes nothing for a
   * hold that is unknown or has ended, so that a settlement which failed may be repeated as it is. Resolves with the
   * states of the charged limits.
   */
  settle(end: MeterEnd): Promise<readonly MeterState[]>
  /**
   * Tells what the calls of a lease have used and hold, and asks for more. Never refuses what they hold, and may be
   * repeated as it is: its amounts are sums. `settle` ends a lease as any hold, with all that its calls have used.
   */
  lease(lease: MeterLease): Promise<MeterLeaseAnswer>
  /** Prolongs holds to this time from now. Those that have expired stay so. */
  renew(subject: string, holds: readonly string[], expiresMs: number): Promise<void>
  read(subject: string, limits: readonly MeterLimit[]): Promise<readonly MeterState[]>
  /** Forgets what was spent of a limit. Holds stay. */
  reset(subject: string, limit: MeterLimit): Promise<void>
}

/** A limit as a meter counts it. Amounts are whole numbers: calls, tokens, nano-dollars. */
export interface MeterLimit {
  /** Unique within the subject. */
  readonly id: string
  /** Another amount leaves what was spent. 0 refuses all. */
  readonly amount: number
  readonly counts: MeterCounts
  /** False: it counts, and never refuses. */
  readonly refuses: boolean
  /** A call is refused that the rest of the budget does not cover, instead of taking the rest. */
  readonly strict: boolean
}

/** How a limit counts. Times are milliseconds. */
export type MeterCounts =
  /** The amount flows back evenly within the window. */
  | { readonly kind: 'rate'; readonly windowMs: number }
  /** The period is part of the name of the counter, so that no counter is ever set back. */
  | { readonly kind: 'budget'; readonly period: string; readonly endsAt: number | undefined }
  | { readonly kind: 'concurrent' }

/** What a call takes of a limit. */
export interface MeterTake {
  readonly limit: MeterLimit
  /** 1 for calls; an estimate for tokens and cost. */
  readonly amount: number
  /** The charge if the hold expires, since its process has died. Rates keep the whole amount. */
  readonly floor: number
}

/** What a call takes of the limits of a subject, each of which it names once. */
export interface MeterAsk {
  readonly subject: string
  /** The id of the hold, unique within the subject. */
  readonly hold: string
  /** Milliseconds until the hold expires, unless it is renewed. */
  readonly expiresMs: number
  readonly takes: readonly MeterTake[]
}

/** The end of a hold. */
export interface MeterEnd {
  readonly subject: string
  readonly hold: string
  /** What the call has used. A limit of the hold that is absent gets back what it took. */
  readonly charges: readonly MeterCharge[]
  /**
   * The caller cannot tell whether the hold was taken, since its ask failed: it is charged in both cases, once within a
   * day. A later ask with this hold is refused. From the first settlement on: one without it leaves no mark.
   */
  readonly unheld?: boolean
}

/** What a call has used of a limit. Limits of concurrent calls need none. */
export interface MeterCharge {
  readonly limit: MeterLimit
  readonly amount: number
}

/** A hold of which a process admits calls itself. If it expires, all that it holds is charged. */
export interface MeterLease {
  readonly subject: string
  /** The id of the hold. One that was settled with `unheld` is not leased again. */
  readonly hold: string
  readonly expiresMs: number
  readonly parts: readonly MeterLeasePart[]
}

/** What a lease has of a limit. */
export interface MeterLeasePart {
  readonly limit: MeterLimit
  /** What its calls have used since it began. */
  readonly used: number
  /** The part of `used` that an answer has confirmed: a store that no longer knows the hold does not charge it again. */
  readonly charged: number
  /** What it holds. */
  readonly kept: number
  /** What it takes besides, if each of its limits has `leaseShare` times as much left. */
  readonly wanted: number
}

/** The states are in the order of the parts. */
interface MeterLeaseAnswer {
  /** Whether the lease has what it wanted. */
  readonly isWider: boolean
  readonly states: readonly MeterState[]
}

/** A lease takes more only where so many times as much is left, so that other processes find the rest. */
export const leaseShare = 10

/** Whether a call is admitted. The states are in the order of the takes. */
export type MeterAnswer =
  | {
      readonly admitted: true
      readonly states: readonly MeterState[]
      /** The takes, by index, of limits that would have refused. */
      readonly exceeded: readonly number[]
    }
  | {
      readonly admitted: false
      /** The index of the first take that is refused. */
      readonly refusedBy: number
      readonly why: MeterRefusal
      /** Absent: the meter cannot tell. */
      readonly retryAfterMs: number | undefined
      readonly states: readonly MeterState[]
    }

/** `held`: only what other calls hold is in the way. `spent`: waiting does not help before the period ends. */
export type MeterRefusal = 'rate' | 'concurrent' | 'held' | 'spent'

/** A limit at a moment. */
export interface MeterState {
  readonly spent: number
  readonly held: number
  readonly remaining: number
  /** When the period ends, or the whole amount of a rate is there again. In milliseconds since 1970. */
  readonly resetsAt: number | undefined
}

/** How long a meter remembers a lost hold, a settlement without a hold, and an ended period, in milliseconds. */
export const meterKeepsMs = 86_400_000

/** The greatest amount, in nano-dollars 9 million dollars. No sum goes beyond. */
export const greatestAmount = 9e15
