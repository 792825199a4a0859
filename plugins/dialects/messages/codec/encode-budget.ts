import type { Effort, GenerateRequest, Reasoning } from '../../../../src/generate/request.ts'
import type { EncodedThinking, Tell } from './encode-thinking.ts'
import type { ModelFacts } from './models.ts'

/** The least that accounts take. */
const leastBudget = 1024

const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: leastBudget,
  low: 2048,
  medium: 5120,
  high: 10_240,
  xhigh: 16_384,
  max: 32_768,
}

/**
 * Thoughts count as tokens of the answer, so a part of them is kept for what it says. `undefined`
 * where there is no room for thoughts.
 */
export function encodeBudget(
  reasoning: Reasoning,
  maxTokens: number,
  tell: Tell,
): EncodedThinking | undefined {
  if (maxTokens <= leastBudget) {
    tell('an answer of so few tokens has no room for thoughts')
    return undefined
  }
  const wanted = wantedBudget(reasoning)
  const budget = Math.min(wanted, Math.max(leastBudget, Math.floor(maxTokens * 0.8)))
  const { budget: asked = -1, show } = reasoning
  if (budget < wanted)
    tell(`there is no room for so many beside what is said; lowered to ${budget} tokens`)
  else if (asked > 0 && asked < leastBudget)
    tell(`the model takes no less than ${budget} for thoughts; raised to ${budget} tokens`)
  return {
    maxTokens,
    thinking: {
      type: 'enabled',
      budget_tokens: budget,
      ...(show === false && { display: 'omitted' }),
    },
    thinks: true,
  }
}

/** Of a model that is not known the limit is a guess, which thoughts must not use up. */
export function roomFor(
  { maxOutputTokens, reasoning = {} }: GenerateRequest,
  { known }: ModelFacts,
  maxTokens: number,
): number {
  return maxOutputTokens === undefined && !known ? maxTokens + wantedBudget(reasoning) : maxTokens
}

/** A negative budget leaves it to the model. */
function wantedBudget({ effort = 'medium', budget = -1 }: Reasoning): number {
  if (budget > 0) return Math.max(leastBudget, Math.floor(budget))
  return effort === 'none' ? leastBudget : budgets[effort]
}
