import type { JsonObject } from '../../../../src/codec.ts'
import type { Effort, GenerateRequest, Reasoning } from '../../../../src/generate/request.ts'
import type { ModelFacts } from './models.ts'

export interface EncodedThinking {
  readonly maxTokens: number
  /** Absent: it is left to the model. */
  readonly thinking?: JsonObject
  readonly effort?: string
  /** With thoughts there are neither sampling settings nor begun answers. */
  readonly thinks: boolean
}

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
 * How much the model is to think, in the way that it understands, and how much it may write in all.
 * `barred`: the request has something that accounts refuse together with thoughts.
 */
export function encodeThinking(
  { reasoning, maxOutputTokens: limit }: GenerateRequest,
  facts: ModelFacts,
  barred: (thinking: 'adaptive' | 'budget') => boolean,
): EncodedThinking {
  const most = facts.known ? facts.maxTokens : Infinity
  const maxTokens = Math.min(limit ?? facts.maxTokens, most)
  const plain = { maxTokens, thinks: false }
  if (!reasoning || facts.thinking === 'none') return plain
  if (isOff(reasoning)) return { ...plain, ...encodeOff(facts) }
  if (!isOn(reasoning)) return plain
  const way = wayFor(reasoning, facts.thinking)
  if (barred(way)) return plain
  if (way === 'adaptive') return { maxTokens, ...encodeAdaptive(reasoning, facts), thinks: true }
  const budget = wantedBudget(reasoning)
  const room = limit === undefined && !facts.known ? maxTokens + budget : maxTokens
  return room > leastBudget ? encodeBudget(budget, room, reasoning) : plain
}

function isOff({ effort, budget }: Reasoning): boolean {
  return effort === 'none' || budget === 0
}

function isOn({ effort, budget, show, summary }: Reasoning): boolean {
  return effort !== undefined || budget !== undefined || show === true || summary !== undefined
}

function encodeOff(facts: ModelFacts): Pick<EncodedThinking, 'thinking' | 'effort'> {
  if (facts.thinkingCanStop) return { thinking: { type: 'disabled' } }
  return facts.thinksBetweenTools ? { thinking: { type: 'between_tools' } } : { effort: 'low' }
}

function wayFor({ budget = -1 }: Reasoning, way: ModelFacts['thinking']): 'adaptive' | 'budget' {
  if (way === 'either') return budget > 0 ? 'budget' : 'adaptive'
  return way === 'adaptive' ? 'adaptive' : 'budget'
}

function encodeAdaptive(reasoning: Reasoning, facts: ModelFacts) {
  const effort = effortOf(reasoning, facts)
  const display = reasoning.show === false ? 'omitted' : 'summarized'
  return { thinking: { type: 'adaptive', display }, ...(effort && { effort }) }
}

function effortOf({ effort, budget = -1 }: Reasoning, { takesXhigh }: ModelFacts) {
  if (effort === 'minimal') return 'low'
  if (effort === 'xhigh' && !takesXhigh) return 'high'
  if (effort !== undefined || budget < 0) return effort
  if (budget >= 10_000) return 'high'
  return budget >= 5000 ? 'medium' : 'low'
}

/** A negative budget leaves it to the model. */
function wantedBudget({ effort = 'medium', budget = -1 }: Reasoning): number {
  if (budget > 0) return Math.max(leastBudget, Math.floor(budget))
  return effort === 'none' ? leastBudget : budgets[effort]
}

/** Thoughts count as tokens of the answer, so a part of them is kept for what it says. */
function encodeBudget(budget: number, maxTokens: number, { show }: Reasoning): EncodedThinking {
  const most = Math.max(leastBudget, Math.floor(maxTokens * 0.8))
  return {
    maxTokens,
    thinking: {
      type: 'enabled',
      budget_tokens: Math.min(budget, most),
      ...(show === false && { display: 'omitted' }),
    },
    thinks: true,
  }
}
