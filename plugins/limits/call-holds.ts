import type { Attempt, Progress } from '../../src/contract/exchange.ts'
import type { Limit } from '../../src/contract/quota.ts'
import type { Estimate } from '../../src/limits/estimate.ts'
import type { Hold, Take } from './call-meter.ts'
import type { AdmittedBy } from './headers.ts'

/** What a call holds of all of its subjects. */
export interface CallHolds {
  readonly id: string
  /** One hold for each subject. */
  readonly holds: Hold[]
  /** The limits that have admitted the call, with their states. */
  readonly admitted: AdmittedBy[]
  /** An estimate for each model that the call was for: each fallback adds one. Empty: no limit needs any. */
  readonly estimates: { readonly model: string; readonly estimate: Estimate }[]
  /** The models for which the call was admitted as a whole, so that it counts as a request. */
  readonly models: string[]
  /** Whether a limit counts the cost of the present model, so that no account without a price serves the call. */
  needsPrice: boolean
  /** Whether this process has decided without the store. */
  isStale: boolean
}

/** What a call holds of a subject. */
export function holdOf({ id, holds }: CallHolds, subject: string): Hold {
  let hold = holds.find((one) => one.subject === subject)
  if (!hold) holds.push((hold = { id, subject, takes: [], isUnheld: false }))
  return hold
}

/** What a call has taken of a limit, for one of its models before. */
export function takenOf({ holds }: CallHolds, limit: Limit): Pick<Take, 'amount' | 'floor'> {
  let [amount, floor] = [0, 0]
  for (const { takes } of holds) {
    for (const one of takes) {
      if (one.limit !== limit) continue
      amount += one.amount
      floor += one.floor
    }
  }
  return { amount, floor }
}

/** The estimate of a call of a model. */
export function estimateOf({ estimates }: CallHolds, model: string): Estimate | undefined {
  return estimates.find((one) => one.model === model)?.estimate
}

/** What an attempt holds of its account, and what it was estimated to use. Absent: no limit needs that. */
export interface AttemptHold {
  readonly attempt: Attempt
  readonly hold: Hold
  readonly estimate: Estimate | undefined
}

/** What a call and its attempts hold. */
interface Limited {
  call: CallHolds | undefined
  attempts: AttemptHold[]
}

/**
 * What a call and its attempts hold. It is a member of the exchange, since a map of exchanges that changes with each call
 * keeps dead ones alive: 140 MB were promoted in 15,000 calls of a limited key, 9 MB are without the map.
 */
export function limitedOf(progress: Pick<Progress, 'limited'>): Limited {
  progress.limited ??= { call: undefined, attempts: [] } satisfies Limited
  return progress.limited as Limited
}
