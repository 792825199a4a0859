import type { Usage } from './outcome.ts'

/**
 * Why the cost of a call is unknown:
 *
 * - `no_usage`: the account does not report the tokens of the prompt and of the reply, or not all of them as such
 * - `invalid_usage`: its numbers contradict each other, or are no numbers of tokens
 * - `no_tier`: the price lacks the service tier that served the call
 * - `no_rate`: the price lacks the rate of a class that has tokens, or of a unit that was used
 */
export type UnknownCost = 'no_usage' | 'invalid_usage' | 'no_tier' | 'no_rate'

/** The use and the cost of one attempt. */
export interface Spend {
  /** `none`: the account has not taken the call, the operation is free, or the attempt has ordered a job. */
  readonly usage: 'reported' | 'estimated' | 'unknown' | 'none'
  /** The counts behind the cost. Absent: they are unknown, or there are none. */
  readonly tokens?: Usage
  /** Nano-dollars, or why the cost is unknown. `no_price`: the model has no price. */
  readonly cost: number | UnknownCost | 'no_price'
  /** See `RatesInForce.version`. Absent: the model has no price, or the attempt no use. */
  readonly priceVersion?: string
}
