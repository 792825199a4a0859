import type { Spend } from '../../contract/spend.ts'
import { isAmount } from '../../kit/usage.ts'
import { requestMetrics as metrics } from './catalog.ts'
import { type Registry, type Series, count } from './registry.ts'

/** Results of looking up a cost. The first three are known costs. */
const statuses = [
  'priced',
  'free',
  'estimated',
  'no_price',
  'no_rate',
  'no_tier',
  'no_usage',
  'invalid_usage',
] as const

/** The units of a usage, by the values of their label. */
const units = [
  ['searches', 'search'],
  ['images', 'image'],
  ['videoSeconds', 'video_second'],
  ['audioSeconds', 'audio_second'],
  ['characters', 'character'],
] as const

/** The series of the costs of one account, by the labels of models. */
export type AccountCosts = Map<string, Series>

/** The account whose cost is counted. */
interface PaidAccount {
  readonly provider: string
  readonly costs: AccountCosts
  readonly isFree: boolean
}

/** Counts the units and the cost of an attempt or a job. `label`: the label of its model. */
type CostCounter = (spend: Spend, account: PaidAccount, label: string) => void

/** Creates the counter. */
export function createCostCounter(registry: Registry): CostCounter {
  const costs = registry.family(metrics.cost)
  const family = registry.family(metrics.costLookups)
  // A sum that is not there before its first event has no rate at it.
  const lookups = new Map(statuses.map((status) => [status, family.series(status)] as const))
  const look = (status: (typeof statuses)[number]) => count(lookups.get(status)!)

  const unitFamily = registry.family(metrics.units)

  return ({ usage, tokens, cost }, { provider, costs: known, isFree }, label) => {
    for (const [name, unit] of units) {
      const amount = tokens?.[name]
      if (isAmount(amount) && amount > 0) count(unitFamily.series(provider, label, unit), amount)
    }
    if (typeof cost === 'string') return look(cost)
    look(isFree ? 'free' : usage === 'estimated' ? usage : 'priced')
    let series = known.get(label)
    if (!series) known.set(label, (series = costs.series(provider, label)))
    count(series, cost)
  }
}
