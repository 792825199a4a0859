import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { effortOf } from '../../../../../src/generate/effort.ts'
import { reasoningField } from '../../../../../src/generate/fields.ts'
import type { Effort, GenerateRequest } from '../../../../../src/generate/request.ts'
import { defined, type JsonObject } from '../../../../../src/lib/json/object.ts'
import { encodeThinking } from '../../../shared/blocks/encode-thinking.ts'
import type { Message } from '../../../shared/blocks/encode-turns.ts'
import { isThinking } from './encode-blocks.ts'
import type { ModelTraits } from './families.ts'

/** The encoded settings of reasoning, and the limit of output tokens, which depends on them. */
interface EncodedReasoning {
  readonly maxTokens: number | undefined
  /** Members of `additionalModelRequestFields`. */
  readonly fields: JsonObject
  /** `effort` of `outputConfig`. */
  readonly effort?: string | undefined
  /** Whether the model thinks. It then supports no sampling settings. */
  readonly thinks: boolean
}

/** The settings of a request that exclude thinking. */
interface Settings {
  readonly messages: readonly Message[]
  readonly usesPrefill: boolean
  readonly forced: boolean
}

/** Encodes the settings of reasoning in the fields of the model. */
export function encodeReasoning(
  request: GenerateRequest,
  { family, facts }: ModelTraits,
  settings: Settings,
  drop: RecordLoss,
): EncodedReasoning {
  const isClaude = family === 'claude'
  const asked = isClaude ? request : withoutReasoning(request)
  const { maxTokens, thinking, effort, thinks } = encodeThinking(asked, facts, drop, (mode) =>
    barrierOf(mode, settings),
  )
  // Only a budget needs a limit: without one, the model has its own.
  const needsLimit = request.maxOutputTokens !== undefined || thinking?.type === 'enabled'
  return {
    maxTokens: needsLimit ? maxTokens : undefined,
    fields: isClaude ? defined({ thinking }) : encodeOthers(request, family, drop),
    effort,
    thinks,
  }
}

function withoutReasoning(request: GenerateRequest): GenerateRequest {
  const { reasoning: _, ...rest } = request
  return rest
}

/** Why a model of Anthropic does not think in this conversation. */
function barrierOf(mode: string, { messages, usesPrefill, forced }: Settings): string | undefined {
  if (usesPrefill) return 'the model does not think when it continues a prefilled answer'
  if (forced) return 'the model does not think when it is forced to call a tool'
  const isLate = mode === 'budget' && continuesWithoutThinking(messages)
  return isLate ? 'the answer that continues began without thinking' : undefined
}

/** Whether the messages end with results for an answer that does not begin with thinking. */
function continuesWithoutThinking(messages: readonly Message[]): boolean {
  const answersCalls = messages.at(-1)?.content.some((block) => 'toolResult' in block)
  const answer = messages.findLast(({ role }) => role === 'assistant')
  return answersCalls === true && !isThinking(answer?.content[0])
}

/** Models of OpenAI take an effort of three. */
function encodeOthers(
  request: GenerateRequest,
  family: ModelTraits['family'],
  drop: RecordLoss,
): JsonObject {
  const { reasoning } = request
  const effort = effortOf(reasoning)
  if (effort === undefined || (family === 'other' && effort === 'none')) return {}
  if (family === 'other') {
    drop(reasoningField(request), 'the Converse API has no setting of reasoning for the model')
    return {}
  }
  const nearest = nearestEffort(effort)
  if (nearest !== effort) {
    drop(reasoningField(request), `\`${nearest}\` is the nearest effort of the model; it is sent`)
  }
  return { reasoning_effort: nearest }
}

function nearestEffort(effort: Effort): Effort {
  if (effort === 'none' || effort === 'minimal') return 'low'
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort
}
