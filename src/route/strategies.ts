import type { Latencies } from '../accounts/latencies.ts'
import type { AccountSlots } from '../accounts/slots.ts'
import type { Strategy } from '../contract/account.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Usage } from '../contract/outcome.ts'
import type { Price } from '../contract/prices.ts'
import { costOf } from '../kit/cost.ts'

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

/** Bytes of JSON for a token, and the tokens of an answer: only what differs between prices matters. */
const tokenBytes = 4
const answerTokens = 1_000

/** The cost of a call like this one in nano-dollars; `Infinity` where it is unknown. */
function costsOf({ body, snapshot, operation }: Understood): (candidate: Candidate) => number {
  const bytes = body.form?.size ?? body.bytes.length
  const text: Usage = { inputTokens: Math.ceil(bytes / tokenBytes), outputTokens: answerTokens }
  const isImage = operation.capability?.endsWith('-image') === true
  const usage = isImage ? { ...text, imageOutputTokens: answerTokens } : text
  /** Many accounts share a price. */
  const known = new Map<Price, number>()
  return ({ account, upstreamModel }) => {
    const price = snapshot.priceOf?.(account, upstreamModel)
    if (price === 'free') return 0
    if (!price) return Infinity
    const before = known.get(price)
    if (before !== undefined) return before
    const cost = costOf(usage, price)
    const measured = typeof cost === 'number' ? cost : Infinity
    known.set(price, measured)
    return measured
  }
}
