import type { Outcome, Routed } from '../exchange.ts'
import type { Settle } from './attempt-handler.ts'
import type { Environment } from './environment.ts'

/** One outcome for one attempt, whoever comes first. */
export function settleOnce(exchange: Routed, { hooks }: Pick<Environment, 'hooks'>): Settle {
  const { candidate, attempt } = exchange
  let settled = false
  return (outcome: Outcome) => {
    if (settled) return undefined
    settled = true
    exchange.progress.outcome = outcome
    return hooks.outcome?.({ exchange, candidate, attempt, outcome })
  }
}
