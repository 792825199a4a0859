import type { Attempt, Ended } from '../../src/contract/exchange.ts'
import type { Spend } from '../../src/contract/spend.ts'
import type { LimitKind } from '../../src/contract/quota.ts'
import { isAmount } from '../../src/kit/usage.ts'
import type { Estimate } from '../../src/limits/estimate.ts'

/** What the attempts of a call have used. */
interface Used {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Nano-dollars. */
  readonly cost: number
}

/** What counts in place of unknown amounts. */
type LeastEstimate = Pick<Estimate, 'inputTokens' | 'outputTokens' | 'costOf'>

/** The attempts of an exchange that sent a request, the first first. */
export function attemptsOf({
  progress: { former, attempt },
}: Pick<Ended, 'progress'>): readonly Attempt[] {
  if (!attempt || former.includes(attempt)) return former
  return [...former, attempt]
}

/**
 * The sum of what attempts have used. Where an account has taken the call, and the tokens or their cost are unknown,
 * the estimate counts in their place: unknown is never nothing.
 */
export function usedBy(
  attempts: readonly Attempt[],
  estimateOf: (attempt: Attempt) => Estimate | undefined,
): Used {
  const sum = { inputTokens: 0, outputTokens: 0, cost: 0 }
  for (const attempt of attempts) {
    const { inputTokens, outputTokens, cost } = usedOf(attempt.spend, estimateOf(attempt))
    sum.inputTokens += inputTokens
    sum.outputTokens += outputTokens
    sum.cost += cost
  }
  return sum
}

/** What one attempt or job has used. */
export function usedOf(spend: Spend | undefined, estimate: LeastEstimate | undefined): Used {
  if (!spend || spend.usage === 'none') return { inputTokens: 0, outputTokens: 0, cost: 0 }
  const { tokens, cost } = spend
  // Work that is counted in other units has no tokens.
  const other = tokens ? 0 : undefined
  const inputTokens = countedOf(tokens?.inputTokens ?? other, estimate?.inputTokens)
  const outputTokens = countedOf(tokens?.outputTokens ?? other, estimate?.outputTokens)
  if (typeof cost === 'number') return { inputTokens, outputTokens, cost }
  // Clients choose tiers and tools that a price may lack: the tokens cost at least as much as ordinary ones, and work in
  // units without a price as much as it was estimated.
  const least = estimate?.costOf(
    countedOf(tokens?.inputTokens, estimate.inputTokens),
    countedOf(tokens?.outputTokens, estimate.outputTokens),
    tokens?.isPartial ? tokens.images : 0,
  )
  return { inputTokens, outputTokens, cost: least ?? 0 }
}

/** An account may report any number. One that no call has would fill budgets for ever. */
function countedOf(reported: number | undefined, estimated = 0): number {
  return isAmount(reported) ? reported : estimated
}

/** What a call has used in the unit of a limit. */
export function amountUsed(
  kind: LimitKind,
  { inputTokens, outputTokens, cost }: Used,
  isCall: boolean,
): number {
  switch (kind) {
    case 'concurrent':
      return 0
    case 'requests':
      return isCall ? 1 : 0
    case 'inputTokens':
      return inputTokens
    case 'outputTokens':
      return outputTokens
    case 'tokens':
      return inputTokens + outputTokens
    case 'cost':
      return cost
  }
}
