import type { RecordLoss } from '../../../../src/contract/codec.ts'
import { effortOf } from '../../../../src/generate/effort.ts'
import { reasoningField, settingField } from '../../../../src/generate/fields.ts'
import type {
  Effort,
  GenerateRequest,
  Reasoning,
  Sampling,
} from '../../../../src/generate/request.ts'
import { refused } from '../../../../src/kit/codec/read.ts'
import { defined, type JsonObject } from '../../../../src/lib/json/object.ts'
import type { ModelFacts } from './models.ts'

/** The smallest budget that accounts accept, in tokens. */
const minBudget = 1024

/** The budget for each effort, in tokens. */
const budgets: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: minBudget,
  low: 2048,
  medium: 5120,
  high: 10_240,
  xhigh: 16_384,
  max: 32_768,
}

/**
 * Encodes thinking with a budget. Thinking counts towards `maxTokens`, so that the budget leaves a part
 * of it for the answer. Returns `undefined` where `maxTokens` leaves no tokens for thinking.
 */
function encodeBudget(
  reasoning: Reasoning,
  maxTokens: number,
  record: RecordChange,
): EncodedThinking | undefined {
  if (maxTokens <= minBudget) {
    record('the limit of output tokens leaves none for thinking')
    return undefined
  }
  const wanted = wantedBudget(reasoning)
  const budget = Math.min(wanted, Math.max(minBudget, Math.floor(maxTokens * 0.8)))
  const { budget: requested = -1, show } = reasoning
  if (budget < wanted)
    record(`the limit of output tokens leaves no room for it; lowered to ${budget} tokens`)
  else if (requested > 0 && requested < minBudget)
    record(`the model supports no budget below ${budget}; raised to ${budget} tokens`)
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

/**
 * Returns `max_tokens` for an answer with thinking. For an unknown model without a client's limit the
 * limit is a default for the answer alone, so that the budget is added to it.
 */
function limitWithThinking(
  { maxOutputTokens, reasoning = {} }: GenerateRequest,
  { known }: ModelFacts,
  maxTokens: number,
): number {
  return maxOutputTokens === undefined && !known ? maxTokens + wantedBudget(reasoning) : maxTokens
}

/** Returns the budget for the client's settings. A negative budget leaves the choice to the effort. */
function wantedBudget({ effort = 'medium', budget = -1 }: Reasoning): number {
  if (budget > 0) return Math.max(minBudget, Math.floor(budget))
  return effort === 'none' ? minBudget : budgets[effort]
}

/** Encodes the limit of output tokens. Without a client's limit it is the model's own limit. */
function encodeLimit(
  request: GenerateRequest,
  { known, maxTokens }: ModelFacts,
  drop: RecordLoss,
): number {
  const { maxOutputTokens: limit } = request
  const field = settingField(request, 'max_output_tokens')
  if (limit === undefined) return maxTokens
  if (limit < 1) throw refused('The maximum number of output tokens must be at least 1.', field)
  if (!known || limit <= maxTokens) return limit
  const reason = `the model writes ${maxTokens} tokens at most; lowered to ${maxTokens}`
  drop(field, reason, `use ${maxTokens} or less`)
  return maxTokens
}

/** The encoded thinking settings. */
export interface EncodedThinking {
  readonly maxTokens: number
  /** Absent where the model decides. */
  readonly thinking?: JsonObject
  readonly effort?: string
  /** Whether the model thinks. It then supports neither sampling settings nor a prefill. */
  readonly thinks: boolean
}

/** Records that the thinking differs from the client's settings. */
type RecordChange = (reason: string) => void

/**
 * Encodes the thinking settings in the mode that the model supports, and the limit of output tokens.
 * `findBarrier` returns the reason why accounts refuse thinking together with the rest of the request.
 */
export function encodeThinking(
  request: GenerateRequest,
  facts: ModelFacts,
  drop: RecordLoss,
  findBarrier: (mode: 'adaptive' | 'budget') => string | undefined,
): EncodedThinking {
  const { reasoning, fields } = request
  const maxTokens = encodeLimit(request, facts, drop)
  const plain = { maxTokens, thinks: false }
  if (!reasoning) return plain
  const record: RecordChange = (reason) => drop(reasoningField(request), reason)
  if (isOff(reasoning)) return { ...plain, ...encodeOff(facts, record) }
  if (!isOn(reasoning)) return plain
  const mode = modeFor(reasoning, facts.thinking)
  if (mode === 'budget' && reasoning.effort && (reasoning.budget ?? 0) > 0) {
    drop(
      fields.reasoning_effort ?? 'effort',
      'the model supports no effort together with a budget; the budget is sent',
    )
  }
  const barrier = mode === 'none' ? 'the model does not think' : findBarrier(mode)
  if (barrier !== undefined) record(barrier)
  if (barrier !== undefined || mode === 'none') return plain
  if (mode === 'adaptive') {
    return { maxTokens, ...encodeAdaptive(reasoning, facts, record), thinks: true }
  }
  return encodeBudget(reasoning, limitWithThinking(request, facts, maxTokens), record) ?? plain
}

function isOff({ effort, budget }: Reasoning): boolean {
  return effort === 'none' || budget === 0
}

function isOn({ effort, budget, show, summary }: Reasoning): boolean {
  return effort !== undefined || budget !== undefined || show === true || summary !== undefined
}

function encodeOff(
  facts: ModelFacts,
  record: RecordChange,
): Pick<EncodedThinking, 'thinking' | 'effort'> {
  if (facts.thinking === 'none') return {}
  if (facts.thinkingCanStop) return { thinking: { type: 'disabled' } }
  if (facts.thinksBetweenTools) {
    record('the model can skip thinking only before its first output')
    return { thinking: { type: 'between_tools' } }
  }
  record('the model always thinks; the lowest effort is sent')
  return { effort: 'low' }
}

function modeFor({ budget = -1 }: Reasoning, mode: ModelFacts['thinking']) {
  if (mode !== 'either') return mode
  return budget > 0 ? 'budget' : 'adaptive'
}

function encodeAdaptive(reasoning: Reasoning, facts: ModelFacts, record: RecordChange) {
  const effort = adaptiveEffort(reasoning, facts, record)
  const display = reasoning.show === false ? 'omitted' : 'summarized'
  return { thinking: { type: 'adaptive', display }, ...(effort && { effort }) }
}

function adaptiveEffort(reasoning: Reasoning, { takesXhigh }: ModelFacts, record: RecordChange) {
  const { budget = -1 } = reasoning
  const requested = effortOf(reasoning)
  if (budget > 0) record('the model has no budget for thinking; an effort is sent')
  const effort = nearestEffort(requested, takesXhigh)
  if (effort !== requested && budget <= 0)
    record(`\`${effort}\` is the nearest effort that the model supports; it is sent instead`)
  return effort
}

function nearestEffort(requested: Effort | undefined, takesXhigh: boolean): Effort | undefined {
  if (requested === 'minimal') return 'low'
  return requested === 'xhigh' && !takesXhigh ? 'high' : requested
}

/** The API, as losses name it, and where losses are recorded. */
interface Api {
  readonly api: string
  readonly drop: RecordLoss
}

/**
 * The sampling settings that the model supports: new ones of Anthropic, and all of them while they think, support none.
 */
export function samplingOf(
  request: GenerateRequest,
  { known, takesSampling }: ModelFacts,
  { thinks }: Pick<EncodedThinking, 'thinks'>,
  to: Api,
): Sampling {
  const { drop } = to
  if (!takesSampling) return withoutAny(request, drop, 'the model does not support it')
  if (thinks) return withoutAny(request, drop, 'the model does not support it while it thinks')
  const { temperature, topP, topK } = request.sampling
  // Known models support only one of the two.
  const isSecond = known && temperature !== undefined
  if (isSecond && differsFromDefault(topP)) {
    drop(
      settingField(request, 'top_p'),
      'the model does not support it together with a temperature',
    )
  }
  return defined({
    temperature: atLeast(0, temperature, settingField(request, 'temperature'), to, 1),
    topP: isSecond ? undefined : atLeast(0, topP, settingField(request, 'top_p'), to, 1),
    topK: atLeast(1, topK && Math.floor(topK), request.fields.top_k ?? 'top_k', to),
  })
}

/** A value, lowered to `most`. A value below `least` has no meaning here: it is left out and named. */
function atLeast(
  least: number,
  value: number | undefined,
  field: string,
  { api, drop }: Api,
  most = Infinity,
): number | undefined {
  if (value === undefined) return undefined
  if (value >= least) return Math.min(most, value)
  drop(field, `the ${api} accepts no value below ${least}`, `use ${least} or more`)
  return undefined
}

function withoutAny(request: GenerateRequest, drop: RecordLoss, reason: string): Sampling {
  const { temperature, topP, topK } = request.sampling
  if (differsFromDefault(temperature)) drop(settingField(request, 'temperature'), reason)
  if (differsFromDefault(topP)) drop(settingField(request, 'top_p'), reason)
  if (topK !== undefined) drop(request.fields.top_k ?? 'top_k', reason)
  return {}
}

/** Whether a value differs from 1, the default. */
function differsFromDefault(value: number | undefined): boolean {
  return value !== undefined && value !== 1
}
