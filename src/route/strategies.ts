import type { Latencies } from '../accounts/latencies.ts'
import type { AccountSlots } from '../accounts/slots.ts'
import type { Strategy } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Price } from '../contract/prices.ts'
import { costOfCall } from '../limits/estimate.ts'

/** The measures of accounts that strategies compare. */
export interface Measures {
  readonly slots: Pick<AccountSlots, 'taken'>
  readonly latencies: Pick<Latencies, 'of'>
}

/** Compares the candidates of a call by the strategy of its model. */
export interface Comparison {
  /** The strategy, as the rule that chooses. */
  readonly rule: string
  /** A number of a candidate; the lowest is the best. */
  of(candidate: Candidate): number
  /** Whether a number is as good as the best one, so that weights decide. */
  isBest(measured: number, best: number): boolean
}

/** The rule that a strategy is where it chooses. */
export function ruleOf(strategy: Strategy): string {
  return `priority and ${strategy}`
}

/** The comparison of a call for the strategy of its model. */
export function comparisonFor(
  exchange: Understood,
  strategy: Strategy,
  { slots, latencies }: Measures,
): Comparison {
  const { call } = exchange
  const rule = ruleOf(strategy)
  if (strategy === 'least-busy') {
    return { rule, of: ({ account }) => slots.taken(account.id), isBest: isEqual }
  }
  if (strategy === 'latency') {
    return { rule, of: (candidate) => latencies.of(candidate, call.stream), isBest: isNear }
  }
  return { rule, of: costsOf(exchange), isBest: isEqual }
}

function isEqual(measured: number, best: number): boolean {
  return measured === best
}

/** Times differ by chance: without this, all calls would go to one of two equal accounts. */
const nearness = 1.2
const nearMs = 20

function isNear(measured: number, best: number): boolean {
  return measured <= best * nearness + nearMs
}

/** The cost of a call like this one in nano-dollars; `Infinity` where it is unknown. */
function costsOf(exchange: Understood): (candidate: Candidate) => number {
  const { priceOf } = exchange.snapshot
  const costOf = costOfCall(exchange)
  /** Many accounts share a price. */
  const known = new Map<Price, number>()
  return ({ account, upstreamModel }) => {
    const price = priceOf?.(account, upstreamModel)
    if (price === 'free') return 0
    if (!price) return Infinity
    let cost = known.get(price)
    if (cost === undefined) known.set(price, (cost = costOf(price) ?? Infinity))
    return cost
  }
}
