import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { effortOf } from '../../../../../src/generate/effort.ts'
import { reasoningField, settingField } from '../../../../../src/generate/fields.ts'
import type { Effort, GenerateRequest, Reasoning } from '../../../../../src/generate/request.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
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
  tell: RecordChange,
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
export function tokensBeside(
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

/** What the client did not limit has all the room that there is. */
export function encodeLimit(
  request: GenerateRequest,
  { known, maxTokens }: ModelFacts,
  drop: RecordLoss,
): number {
  const { maxOutputTokens: limit } = request
  const field = settingField(request, 'max_output_tokens')
  if (limit === undefined) return maxTokens
  if (limit < 1) throw refused('An answer must have room for one token at least.', field)
  if (!known || limit <= maxTokens) return limit
  const reason = `the model writes ${maxTokens} at most; lowered to ${maxTokens}`
  drop(field, reason, `ask for ${maxTokens} or less`)
  return maxTokens
}

export interface EncodedThinking {
  readonly maxTokens: number
  /** Absent: it is left to the model. */
  readonly thinking?: JsonObject
  readonly effort?: string
  /** With thoughts there are neither sampling settings nor begun answers. */
  readonly thinks: boolean
}

/** Tells that what the client asked for is thought about in another way, and how. */
export type RecordChange = (reason: string) => void

/**
 * How much the model is to think, in the way that it understands, and how much it may write in all.
 * `barred`: why accounts refuse thoughts together with the rest of the request.
 */
export function encodeThinking(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
  barred: (way: 'adaptive' | 'budget') => string | undefined,
): EncodedThinking {
  const { reasoning, fields } = request
  const maxTokens = encodeLimit(request, facts, drop)
  const plain = { maxTokens, thinks: false }
  if (!reasoning) return plain
  const tell: RecordChange = (reason) => drop(reasoningField(request), reason)
  if (isOff(reasoning)) return { ...plain, ...encodeOff(facts, tell) }
  if (!isOn(reasoning)) return plain
  const way = wayFor(reasoning, facts.thinking)
  if (way === 'budget' && reasoning.effort && (reasoning.budget ?? 0) > 0) {
    drop(
      fields.reasoning_effort ?? 'effort',
      'the model takes no effort beside a budget of tokens; the budget is asked',
    )
  }
  const barrier = way === 'none' ? 'the model does not think' : barred(way)
  if (barrier !== undefined) tell(barrier)
  if (barrier !== undefined || way === 'none') return plain
  if (way === 'adaptive') {
    return { maxTokens, ...encodeAdaptive(reasoning, facts, tell), thinks: true }
  }
  return encodeBudget(reasoning, tokensBeside(request, facts, maxTokens), tell) ?? plain
}

function isOff({ effort, budget }: Reasoning): boolean {
  return effort === 'none' || budget === 0
}

function isOn({ effort, budget, show, summary }: Reasoning): boolean {
  return effort !== undefined || budget !== undefined || show === true || summary !== undefined
}

function encodeOff(
  facts: ModelFacts,
  tell: RecordChange,
): Pick<EncodedThinking, 'thinking' | 'effort'> {
  if (facts.thinking === 'none') return {}
  if (facts.thinkingCanStop) return { thinking: { type: 'disabled' } }
  if (facts.thinksBetweenTools) {
    tell('the model can be kept from thinking only before its first words')
    return { thinking: { type: 'between_tools' } }
  }
  tell('the model always thinks; it is asked to do so as little as it can')
  return { effort: 'low' }
}

function wayFor({ budget = -1 }: Reasoning, way: ModelFacts['thinking']) {
  if (way !== 'either') return way
  return budget > 0 ? 'budget' : 'adaptive'
}

function encodeAdaptive(reasoning: Reasoning, facts: ModelFacts, tell: RecordChange) {
  const effort = adaptiveEffort(reasoning, facts, tell)
  const display = reasoning.show === false ? 'omitted' : 'summarized'
  return { thinking: { type: 'adaptive', display }, ...(effort && { effort }) }
}

function adaptiveEffort(reasoning: Reasoning, { takesXhigh }: ModelFacts, tell: RecordChange) {
  const { budget = -1 } = reasoning
  const asked = effortOf(reasoning)
  if (budget > 0) tell('the model has no budget of tokens for thoughts; an effort is asked')
  const effort = asked === 'minimal' ? 'low' : asked === 'xhigh' && !takesXhigh ? 'high' : asked
  if (effort !== asked && budget <= 0)
    tell(`\`${effort}\` is the nearest that there is; asked as that`)
  return effort
}
