import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import { schemaName, shortenId } from '../../../../../src/generate/names.ts'
import type { GenerateRequest, Reasoning } from '../../../../../src/generate/request.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { canReason, isServedByOpenAi } from '../../../shared/openai-models.ts'
import { resolveStrict } from '../../../shared/openai-schema.ts'
import { tierOf } from '../service-tier.ts'

/** The minimum of `max_output_tokens`; accounts refuse lower limits. */
const minTokens = 16

/** Returns the output token limit, raised to the minimum of this dialect with a loss. */
function encodeLimit(request: GenerateRequest, drop: RecordLoss): number | undefined {
  const { maxOutputTokens: limit } = request
  if (limit === undefined || limit >= minTokens) return limit
  const field = settingField(request, 'max_output_tokens')
  const reason = `the Responses API requires at least ${minTokens}; raised to that`
  drop(field, reason, `ask for ${minTokens} or more`)
  return minTokens
}

/** Encodes every option of a request, that is all but its turns and tools. */
export function encodeOptions(
  request: GenerateRequest,
  model: string,
  drop: RecordLoss,
): JsonObject {
  const { sampling, logprobs, store = false } = request
  const { temperature, topP } = sampling
  const text = encodeText(request, drop)
  const reasoning = encodeReasoning(request.reasoning)
  const include = includeOf(request, model)
  const limit = encodeLimit(request, drop)
  return {
    ...(text && { text }),
    ...(reasoning && { reasoning }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...encodePenalties(request, model, drop),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(logprobs && { top_logprobs: logprobs.top }),
    ...(include.length > 0 && { include }),
    ...encodeHints(request, drop),
    store,
  }
}

/**
 * Open Responses has penalties; OpenAI's reference of the API lacks them in every version of its SDK
 * (docs/wire/openai.md 1.1).
 */
function encodePenalties(
  { sampling, fields }: GenerateRequest,
  model: string,
  drop: RecordLoss,
): JsonObject {
  const { presencePenalty, frequencyPenalty } = sampling
  if (!isServedByOpenAi(model)) {
    return defined({ presence_penalty: presencePenalty, frequency_penalty: frequencyPenalty })
  }
  const reason = "OpenAI's Responses API has no penalties"
  if (presencePenalty) drop(fields.presence_penalty ?? 'presence_penalty', reason)
  if (frequencyPenalty) drop(fields.frequency_penalty ?? 'frequency_penalty', reason)
  return {}
}

function includeOf({ logprobs }: GenerateRequest, model: string): string[] {
  return [
    ...(canReason(model) ? ['reasoning.encrypted_content'] : []),
    ...(logprobs ? ['message.output_text.logprobs'] : []),
  ]
}

function encodeText(request: GenerateRequest, drop: RecordLoss): JsonObject | undefined {
  const { verbosity } = request
  const format = encodeFormat(request, drop)
  if (!format && !verbosity) return undefined
  return { ...(format && { format }), ...(verbosity && { verbosity }) }
}

function encodeFormat(request: GenerateRequest, drop: RecordLoss): JsonObject | undefined {
  const { output } = request
  if (!output) return undefined
  if (output.kind === 'text') return { type: 'text' }
  if (output.kind === 'json') return { type: 'json_object' }
  const { name, schema, description } = output
  return {
    type: 'json_schema',
    name: schemaName(name),
    schema,
    ...(description !== undefined && { description }),
    strict: resolveStrict(output, request, drop),
  }
}

/** A request that shows reasoning without a summary style gets the provider's choice, `auto`. */
function encodeReasoning(reasoning: Reasoning = {}): JsonObject | undefined {
  const { effort, show, summary = show ? 'auto' : undefined } = reasoning
  if (!effort && !summary) return undefined
  return { ...(effort && { effort }), ...(summary && { summary }) }
}

function encodeHints(request: GenerateRequest, drop: RecordLoss): JsonObject {
  const { endUser, metadata, cacheKey } = request
  const tier = encodeTier(request, drop)
  return {
    ...(endUser !== undefined && { safety_identifier: shortenId(endUser) }),
    ...(metadata && { metadata }),
    ...(cacheKey !== undefined && { prompt_cache_key: shortenId(cacheKey) }),
    ...(tier !== undefined && { service_tier: tier }),
  }
}

function encodeTier(
  { serviceTier, fields }: GenerateRequest,
  drop: RecordLoss,
): string | undefined {
  const tier = serviceTier === undefined ? undefined : tierOf(serviceTier)
  if (serviceTier !== undefined && tier === undefined) {
    drop(fields.service_tier ?? 'service_tier', 'the Responses API has no such tier')
  }
  return tier
}
