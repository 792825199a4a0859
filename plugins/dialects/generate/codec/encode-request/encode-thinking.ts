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

/** Tells that the model thinks otherwise than the client asked, and how. */
type Tell = (reason: string) => void

/** `thinkingConfig`: a level or a budget, never both. */
export function encodeThinking(
  request: GenerateRequest,
  model: ModelFacts,
  drop: RecordLoss,
): JsonObject | undefined {
  const { reasoning, fields } = request
  if (!reasoning) return undefined
  const tell: Tell = (reason) => drop(reasoningField(request), reason)
  const isShown = reasoning.show ?? thinks(reasoning)
  if (model.thinking === 'none') {
    if (isShown || thinks(reasoning)) tell('the model does not think')
    return undefined
  }
  if (thinks(reasoning) && reasoning.effort && reasoning.budget !== undefined) {
    drop(
      fields.reasoning_effort ?? 'effort',
      'the model takes no effort beside a budget of tokens; the budget is asked',
    )
  }
  const amount =
    model.thinking === 'budget'
      ? inTokens(reasoning, model, tell)
      : inLevels(reasoning, model, tell)
  if (!amount && !isShown) return undefined
  return { ...amount, ...(isShown && { includeThoughts: true }) }
}

function inTokens(
  { effort, budget }: Reasoning,
  { leastBudget, mostBudget }: ModelFacts,
  tell: Tell,
): JsonObject | undefined {
  const asked = budget ?? (effort && budgets[effort])
  if (asked === undefined || asked < 0) return undefined
  const thinkingBudget = Math.round(Math.min(mostBudget, Math.max(leastBudget, asked)))
  if (thinkingBudget < Math.round(asked)) tell(atMost(mostBudget))
  if (thinkingBudget > Math.round(asked))
    tell(
      `the model takes no less than ${leastBudget} for thoughts; raised to ${leastBudget} tokens`,
    )
  return { thinkingBudget }
}

function atMost(budget: number): string {
  return `the model takes no more than ${budget} for thoughts; lowered to ${budget} tokens`
}

/** New models cannot be kept from thinking at all. */
function inLevels(
  { effort, budget = -1 }: Reasoning,
  { leastLevel, mostBudget }: ModelFacts,
  tell: Tell,
): JsonObject | undefined {
  if (budget > 0) {
    if (budget > mostBudget) tell(atMost(mostBudget))
    return { thinkingBudget: Math.round(Math.min(budget, mostBudget)) }
  }
  const asked = budget === 0 ? 'none' : effort
  if (asked === undefined) return undefined
  const level = levels[asked] === 'MINIMAL' ? leastLevel : levels[asked]
  if (level.toLowerCase() !== asked)
    tell(`\`${level}\` is the nearest that there is; asked as that`)
  return { thinkingLevel: level }
}

/** Who asks for thinking and does not say whether it may be read, may read it. */
function thinks({ effort, budget, summary }: Reasoning): boolean {
  return (effort ?? 'none') !== 'none' || (budget ?? 0) > 0 || summary !== undefined
}
