import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import { reasoningField } from '../../../../../src/generate/fields.ts'
import type { Effort, GenerateRequest, Reasoning } from '../../../../../src/generate/request.ts'
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

/** The budget for each effort, in tokens, before the model's limit applies. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}

/** Records that the thinking differs from the client's settings. */
type RecordChange = (reason: string) => void

/** Encodes `thinkingConfig`: a level or a budget, never both. */
export function encodeThinking(
  request: GenerateRequest,
  model: ModelFacts,
  drop: RecordLoss,
): JsonObject | undefined {
  const { reasoning, fields } = request
  if (!reasoning) return undefined
  const record: RecordChange = (reason) => drop(reasoningField(request), reason)
  const isShown = reasoning.show ?? requestsThinking(reasoning)
  if (model.thinking === 'none') {
    if (isShown || requestsThinking(reasoning)) record('the model does not think')
    return undefined
  }
  if (requestsThinking(reasoning) && reasoning.effort && reasoning.budget !== undefined) {
    drop(
      fields.reasoning_effort ?? 'effort',
      'the model supports no effort together with a budget; the budget is sent',
    )
  }
  const amount =
    model.thinking === 'budget'
      ? encodeBudget(reasoning, model, record)
      : encodeLevel(reasoning, model, record)
  if (!amount && !isShown) return undefined
  return { ...amount, ...(isShown && { includeThoughts: true }) }
}

function encodeBudget(
  { effort, budget }: Reasoning,
  { minBudget, maxBudget }: ModelFacts,
  record: RecordChange,
): JsonObject | undefined {
  const requested = budget ?? (effort && budgets[effort])
  if (requested === undefined || requested < 0) return undefined
  const thinkingBudget = Math.round(Math.min(maxBudget, Math.max(minBudget, requested)))
  if (thinkingBudget < Math.round(requested)) record(loweredTo(maxBudget))
  if (thinkingBudget > Math.round(requested))
    record(`the model supports no budget below ${minBudget}; raised to ${minBudget} tokens`)
  return { thinkingBudget }
}

function loweredTo(budget: number): string {
  return `the model supports no budget above ${budget}; lowered to ${budget} tokens`
}

/** Encodes a level, or a budget that the client sets. New models always think. */
function encodeLevel(
  { effort, budget = -1 }: Reasoning,
  { minLevel, maxBudget }: ModelFacts,
  record: RecordChange,
): JsonObject | undefined {
  if (budget > 0) {
    if (budget > maxBudget) record(loweredTo(maxBudget))
    return { thinkingBudget: Math.round(Math.min(budget, maxBudget)) }
  }
  const requested = budget === 0 ? 'none' : effort
  if (requested === undefined) return undefined
  const level = levels[requested] === 'MINIMAL' ? minLevel : levels[requested]
  if (level.toLowerCase() !== requested)
    record(`\`${level}\` is the nearest level that the model supports; it is sent instead`)
  return { thinkingLevel: level }
}

/** Whether a client requests thinking. Without `show` it then also reads the thoughts. */
function requestsThinking({ effort, budget, summary }: Reasoning): boolean {
  return (effort ?? 'none') !== 'none' || (budget ?? 0) > 0 || summary !== undefined
}
