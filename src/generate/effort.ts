import type { Feature } from './unsupported.ts'
import type { Effort, Reasoning } from './request.ts'

/** From how many tokens on a budget means which effort. */
const efforts: readonly (readonly [least: number, effort: Effort])[] = [
  [10_000, 'high'],
  [5000, 'medium'],
  [2000, 'low'],
  [1, 'minimal'],
  [0, 'none'],
]

/** The effort, the nearest where the client gave a budget of tokens. Below 0 it leaves it open. */
export function effortOf({ effort, budget }: Reasoning = {}): Effort | undefined {
  if (effort !== undefined || budget === undefined) return effort
  return efforts.find(([least]) => budget >= least)?.[1]
}

/** Which feature a budget is. None at all is said exactly by an effort, where there is no other. */
export function budgetFeature(budget: number, effort: Effort | undefined): Feature {
  return budget === 0 && effort === undefined ? 'reasoning_effort' : 'reasoning_budget'
}
