import type { PriceOf } from '../../accounts/prices.ts'
import type { Price } from '../../contract/prices.ts'
import type { Attempt } from '../../contract/exchange.ts'
import type { OutcomeInput } from '../../contract/plugin.ts'
import { costOf } from '../../kit/cost.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { operationNameOf } from '../genai.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type Registry, type Series, count } from './registry.ts'

/** Results of looking up the cost of an attempt. The first two are known costs. */
const statuses = [
  'priced',
  'free',
  'no_price',
  'no_rate',
  'no_tier',
  'no_usage',
  'invalid_usage',
] as const

/** Clients choose names of models where an account has a pattern. */
const remembered = 1_000

/** The prices of the models of one account, by platform model. */
export type AccountCosts = RecentMap<ModelCost>

/** The price of a model, found once. */
interface ModelCost {
  /** The prices in which it was found: a reload replaces them. */
  readonly of: PriceOf
  /** The account's name of the model. */
  readonly upstream: string
  readonly price: Price | 'free' | undefined
  /** Present with the first known cost. */
  cost?: Series
}

/** Counts the costs of attempts. */
interface CostCounter {
  /** Counts the cost of an attempt by these prices. `label`: the label of its model. */
  attempted(
    input: OutcomeInput,
    priceOf: PriceOf,
    account: { readonly provider: string; readonly costs: AccountCosts },
    label: () => string,
  ): void
}

/** Creates the place for the prices of an account. */
export function createAccountCosts(): AccountCosts {
  return new RecentMap(remembered)
}

/** Creates the counter. */
export function createCostCounter(registry: Registry): CostCounter {
  const costs = registry.family(metrics.cost)
  const family = registry.family(metrics.costLookups)
  // A sum that is not there before its first event has no rate at it.
  const lookups = new Map(statuses.map((status) => [status, family.series(status)] as const))
  const look = (status: (typeof statuses)[number]) => count(lookups.get(status)!)

  return {
    attempted(input, priceOf, { provider, costs: known }, label) {
      if (!mayCost(input)) return
      const { exchange, candidate, outcome } = input
      const { name } = exchange.model
      let model = known.get(name)
      if (model?.of !== priceOf || model.upstream !== candidate.upstreamModel) {
        const { account, upstreamModel: upstream } = candidate
        model = { of: priceOf, upstream, price: priceOf(account, upstream) }
        known.set(name, model)
      }
      const { price } = model
      if (price === undefined) return look('no_price')
      const cost = price === 'free' ? 0 : costOf(outcome.usage, price)
      if (typeof cost === 'string') return look(cost)
      look(price === 'free' ? price : 'priced')
      count((model.cost ??= costs.series(provider, label())), cost)
    },
  }
}

/** Whether an account may ask for money for an attempt: it worked on a call of a model, as far as is known. */
function mayCost({ exchange, attempt, outcome }: OutcomeInput): boolean {
  const name = operationNameOf(exchange.operation, exchange.dialect)
  if (name === undefined || name === 'fetch_response' || name === 'count_tokens') return false
  return outcome.usage !== undefined || isTaken(attempt)
}

/** Not one that the account has refused, or that it has not seen. */
function isTaken({ status, isSent }: Attempt): boolean {
  return status === undefined ? isSent : status < 400
}
