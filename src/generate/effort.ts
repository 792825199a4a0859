import type { Feature } from './unsupported.ts'
import type { Effort, Reasoning } from './request.ts'

/** The least budget, in tokens, of each effort. */
const efforts: readonly (readonly [least: number, effort: Effort])[] = [
  [10_000, 'high'],
  [5000, 'medium'],
  [2000, 'low'],
  [1, 'minimal'],
  [0, 'none'],
]

/** The effort, derived from the budget if the client set only that. A negative budget leaves it open. */
export function effortOf({ effort, budget }: Reasoning = {}): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort
  return efforts.find(([least]) => budget >= least)?.[1]
}

/** The feature that a budget uses. A budget of 0 equals the effort `none`, unless the client set another. */
export function budgetFeature(budget: number, effort: Effort | undefined): Feature {
  return budget === 0 && effort === undefined ? 'reasoning_effort' : 'reasoning_budget'
}
