import type { JsonObject } from '../../../../src/codec.ts'
import type { Effort, Reasoning } from '../../../../src/generate/request.ts'
import type { ModelFacts } from './models.ts'

type Level = 'MINIMAL' | 'LOW' | 'MEDIUM' | 'HIGH'

const levels: Readonly<Record<Effort, Level>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

/** In tokens; what stands above the model's limit is lowered to it. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** `thinkingConfig`: a level or a budget, never both. */
export function encodeThinking(
  reasoning: Reasoning | undefined,
  model: ModelFacts,
): JsonObject | undefined {
  if (!reasoning || model.thinking === 'none') return undefined
  const amount =
    model.thinking === 'budget' ? inTokens(reasoning, model) : inLevels(reasoning, model)
  const isShown = reasoning.show ?? thinks(reasoning)
  if (!amount && !isShown) return undefined
  return { ...amount, ...(isShown && { includeThoughts: true }) }
}

function inTokens({ effort, budget }: Reasoning, model: ModelFacts): JsonObject | undefined {
  const asked = budget ?? (effort && budgets[effort])
  if (asked === undefined) return undefined
  const { leastBudget, mostBudget } = model
  return { thinkingBudget: Math.round(Math.min(mostBudget, Math.max(leastBudget, asked))) }
}

/** New models cannot be kept from thinking at all. */
function inLevels({ effort, budget }: Reasoning, model: ModelFacts): JsonObject | undefined {
  if (budget !== undefined && budget > 0) {
    return { thinkingBudget: Math.round(Math.min(budget, model.mostBudget)) }
  }
  const asked = budget === 0 ? 'none' : effort
  if (asked === undefined) return undefined
  const level = levels[asked]
  return { thinkingLevel: level === 'MINIMAL' ? model.leastLevel : level }
}

/** Who asks for thinking and does not say whether it may be read, may read it. */
function thinks({ effort, budget, summary }: Reasoning): boolean {
  return (effort ?? 'none') !== 'none' || (budget ?? 0) > 0 || summary !== undefined
}
