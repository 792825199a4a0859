import type { Attempt, Ended } from '../../src/contract/exchange.ts'
import type { LimitKind } from '../../src/contract/quota.ts'
import type { Estimate } from '../../src/limits/estimate.ts'

/** What the attempts of a call have used. */
interface Used {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Nano-dollars. */
  readonly cost: number
}

/** The attempts of an exchange that sent a request, the first first. */
export function attemptsOf({
  progress: { former, attempt },
}: Pick<Ended, 'progress'>): readonly Attempt[] {
  if (!attempt || former.includes(attempt)) return former
  return [...former, attempt]
}

/**
 * The sum of what attempts have used. Where an account has taken the call, and nothing tells the tokens or their cost,
 * the estimate counts in their place: unknown is never nothing.
 */
export function usedBy(attempts: readonly Attempt[], estimate: Estimate | undefined): Used {
  const { inputTokens = 0, outputTokens = 0, cost = 0 } = estimate ?? {}
  const sum = { inputTokens: 0, outputTokens: 0, cost: 0 }
  for (const { spend } of attempts) {
    if (!spend || spend.usage === 'none') continue
    sum.inputTokens += spend.tokens ? (spend.tokens.inputTokens ?? 0) : inputTokens
    sum.outputTokens += spend.tokens ? (spend.tokens.outputTokens ?? 0) : outputTokens
    sum.cost += typeof spend.cost === 'number' ? spend.cost : cost
  }
  return sum
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
