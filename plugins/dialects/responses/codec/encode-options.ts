import { hash } from 'node:crypto'

import type { JsonObject } from '../../../../src/codec.ts'
import type {
  Effort,
  GenerateRequest,
  OutputFormat,
  Reasoning,
} from '../../../../src/generate/request.ts'
import { reasons } from './models.ts'
import { tierOf } from './service-tier.ts'

/** Everything of a request but its turns and tools. */
export function encodeOptions(request: GenerateRequest, model: string): JsonObject {
  const { sampling, maxOutputTokens, logprobs, store = false } = request
  const { temperature, topP, presencePenalty, frequencyPenalty } = sampling
  const text = encodeText(request)
  const reasoning = encodeReasoning(request.reasoning)
  const include = includeOf(request, model)
  return {
    ...(text && { text }),
    ...(reasoning && { reasoning }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(maxOutputTokens !== undefined && { max_output_tokens: maxOutputTokens }),
    ...(logprobs && { top_logprobs: logprobs.top }),
    ...(include.length > 0 && { include }),
    ...encodeHints(request),
    store,
  }
}

function includeOf({ logprobs }: GenerateRequest, model: string): string[] {
  return [
    ...(reasons(model) ? ['reasoning.encrypted_content'] : []),
    ...(logprobs ? ['message.output_text.logprobs'] : []),
  ]
}

function encodeText({ output, verbosity }: GenerateRequest): JsonObject | undefined {
  if (!output && !verbosity) return undefined
  return { ...(output && { format: encodeFormat(output) }), ...(verbosity && { verbosity }) }
}

function encodeFormat(output: OutputFormat): JsonObject {
  if (output.kind === 'text') return { type: 'text' }
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, schema, description, strict } = output
  return {
    type: 'json_schema',
    name: safeFormatName(name),
    schema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
}

function safeFormatName(name = ''): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'response'
}

/** Who wants to read what the model thinks, and does not say how, gets the provider's choice. */
function encodeReasoning(reasoning: Reasoning = {}): JsonObject | undefined {
  const { budget, show, summary = show ? 'auto' : undefined } = reasoning
  const effort = reasoning.effort ?? (budget === undefined ? undefined : effortOf(budget))
  if (!effort && !summary) return undefined
  return { ...(effort && { effort }), ...(summary && { summary }) }
}

function effortOf(budget: number): Effort {
  if (budget === 0) return 'none'
  return budgets.find(([least]) => budget >= least)?.[1] ?? 'minimal'
}

const budgets = [
  [10_000, 'high'],
  [5000, 'medium'],
  [2000, 'low'],
] as const

function encodeHints(request: GenerateRequest): JsonObject {
  const { endUser, metadata, cacheKey, serviceTier } = request
  const tier = serviceTier === undefined ? undefined : tierOf(serviceTier)
  return {
    ...(endUser !== undefined && { safety_identifier: identifierOf(endUser) }),
    ...(metadata && { metadata }),
    ...(cacheKey !== undefined && { prompt_cache_key: identifierOf(cacheKey) }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}

/** Names of users and caches have 64 characters at most; they only need to stay the same. */
function identifierOf(name: string): string {
  return name.length <= 64 ? name : hash('sha256', name)
}
