import type { OutcomeInput } from '../../contract/plugin.ts'
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

/** The series of the costs of one account, by the labels of models. */
export type AccountCosts = Map<string, Series>

/** Counts the cost of an attempt. `label`: the label of its model. */
type CostCounter = (
  { exchange, candidate, attempt }: OutcomeInput,
  account: { readonly provider: string; readonly costs: AccountCosts },
  label: () => string,
) => void

/** Creates the counter. */
export function createCostCounter(registry: Registry): CostCounter {
  const costs = registry.family(metrics.cost)
  const family = registry.family(metrics.costLookups)
  // A sum that is not there before its first event has no rate at it.
  const lookups = new Map(statuses.map((status) => [status, family.series(status)] as const))
  const look = (status: (typeof statuses)[number]) => count(lookups.get(status)!)

  return ({ exchange, candidate, attempt: { spend } }, { provider, costs: known }, labelOf) => {
    const { priceOf } = exchange.snapshot
    if (!spend || spend.usage === 'none' || !priceOf) return
    const { cost } = spend
    if (typeof cost === 'string') return look(cost)
    const isFree = cost === 0 && priceOf(candidate.account, candidate.upstreamModel) === 'free'
    look(isFree ? 'free' : 'priced')
    const label = labelOf()
    let series = known.get(label)
    if (!series) known.set(label, (series = costs.series(provider, label)))
    count(series, cost)
  }
}
