import type { Drop, JsonObject } from '../../../../src/codec.ts'
import { effortOf } from '../../../../src/generate/effort.ts'
import { reasons } from '../../../../src/codecs/model-habits.ts'
import type { GenerateRequest, OutputFormat, Reasoning } from '../../../../src/generate/request.ts'
import { schemaName, shortName } from '../../../../src/generate/short-names.ts'
import { tierOf } from './service-tier.ts'

/** Everything of a request but its turns and tools. */
export function encodeOptions(request: GenerateRequest, model: string, drop: Drop): JsonObject {
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
    ...encodeHints(request, drop),
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
    name: schemaName(name),
    schema,
    ...(description !== undefined && { description }),
    ...(strict !== undefined && { strict }),
  }
}

/** Who wants to read what the model thinks, and does not say how, gets the provider's choice. */
function encodeReasoning(reasoning: Reasoning = {}): JsonObject | undefined {
  const { show, summary = show ? 'auto' : undefined } = reasoning
  const effort = effortOf(reasoning)
  if (!effort && !summary) return undefined
  return { ...(effort && { effort }), ...(summary && { summary }) }
}

function encodeHints(request: GenerateRequest, drop: Drop): JsonObject {
  const { endUser, metadata, cacheKey } = request
  const tier = encodeTier(request, drop)
  return {
    ...(endUser !== undefined && { safety_identifier: shortName(endUser) }),
    ...(metadata && { metadata }),
    ...(cacheKey !== undefined && { prompt_cache_key: shortName(cacheKey) }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}

function encodeTier({ serviceTier, fields }: GenerateRequest, drop: Drop): string | undefined {
  const tier = serviceTier === undefined ? undefined : tierOf(serviceTier)
  if (serviceTier !== undefined && tier === undefined) {
    drop(fields.service_tier ?? 'service_tier', 'the Responses API has no such tier')
  }
  return tier
}
