import type { Drop, JsonObject } from '../../../../src/codec.ts'
import { effortOf } from '../../../../src/generate/effort.ts'
import { reasoningField } from '../../../../src/generate/fields.ts'
import type { GenerateRequest, Reasoning } from '../../../../src/generate/request.ts'
import { encodeBudget, roomFor } from './encode-budget.ts'
import { encodeLimit } from './encode-limit.ts'
import type { ModelFacts } from './models.ts'

export interface EncodedThinking {
  readonly maxTokens: number
  /** Absent: it is left to the model. */
  readonly thinking?: JsonObject
  readonly effort?: string
  /** With thoughts there are neither sampling settings nor begun answers. */
  readonly thinks: boolean
}

/** Tells that what the client asked for is thought about in another way, and how. */
export type Tell = (reason: string) => void

/**
 * How much the model is to think, in the way that it understands, and how much it may write in all.
 * `barred`: why accounts refuse thoughts together with the rest of the request.
 */
export function encodeThinking(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: Drop,
  barred: (way: 'adaptive' | 'budget') => string | undefined,
): EncodedThinking {
  const { reasoning, fields } = request
  const maxTokens = encodeLimit(request, facts, drop)
  const plain = { maxTokens, thinks: false }
  if (!reasoning) return plain
  const tell: Tell = (reason) => drop(reasoningField(request), reason)
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
  return encodeBudget(reasoning, roomFor(request, facts, maxTokens), tell) ?? plain
}

function isOff({ effort, budget }: Reasoning): boolean {
  return effort === 'none' || budget === 0
}

function isOn({ effort, budget, show, summary }: Reasoning): boolean {
  return effort !== undefined || budget !== undefined || show === true || summary !== undefined
}

function encodeOff(facts: ModelFacts, tell: Tell): Pick<EncodedThinking, 'thinking' | 'effort'> {
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

function encodeAdaptive(reasoning: Reasoning, facts: ModelFacts, tell: Tell) {
  const effort = adaptiveEffort(reasoning, facts, tell)
  const display = reasoning.show === false ? 'omitted' : 'summarized'
  return { thinking: { type: 'adaptive', display }, ...(effort && { effort }) }
}

function adaptiveEffort(reasoning: Reasoning, { takesXhigh }: ModelFacts, tell: Tell) {
  const { budget = -1 } = reasoning
  const asked = effortOf(reasoning)
  if (budget > 0) tell('the model has no budget of tokens for thoughts; an effort is asked')
  const effort = asked === 'minimal' ? 'low' : asked === 'xhigh' && !takesXhigh ? 'high' : asked
  if (effort !== asked && budget <= 0)
    tell(`\`${effort}\` is the nearest that there is; asked as that`)
  return effort
}
