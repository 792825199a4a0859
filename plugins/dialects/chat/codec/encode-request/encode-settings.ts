import type { AccountTraits, RecordLoss } from '../../../../../src/contract/codec.ts'
import type { AccountLack } from '../../../../../src/generate/account-lacks.ts'
import { settingField } from '../../../../../src/generate/fields.ts'
import { shortenId } from '../../../../../src/generate/names.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import { refused } from '../../../../../src/kit/codec/read.ts'
import { supportedStops } from '../../../../../src/kit/codec/stops.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { isServedByOpenAi } from '../../../shared/openai-models.ts'
import { tierOf } from '../usage.ts'

/** The most stop sequences that the API allows. */
const maxStops = 4

/** The most alternatives for each token that the API returns. */
const maxLogprobs = 20

/** Encodes the limits of the reply: tokens, stop sequences, choices, log probabilities. */
export function encodeLimits(
  request: GenerateRequest,
  outputLimitField: AccountTraits['outputLimitField'],
  drop: RecordLoss,
): JsonObject {
  const { maxOutputTokens, candidates, logprobs } = request
  if (maxOutputTokens !== undefined && maxOutputTokens < 1) {
    throw refused(
      'The maximum number of output tokens must be at least 1.',
      settingField(request, 'max_output_tokens'),
    )
  }
  return defined({
    [outputLimitField]: maxOutputTokens,
    stop: stopsOf(request, drop),
    n: candidates,
    logprobs: logprobs && true,
    top_logprobs: alternativesOf(request, drop),
  })
}

function stopsOf(request: GenerateRequest, drop: RecordLoss): readonly string[] | undefined {
  const stops = supportedStops(request, drop, (sequence) => sequence !== '')
  if (stops.length > maxStops) {
    throw refused(
      `The accounts of this model support ${maxStops} stop sequences.`,
      request.fields.stop,
    )
  }
  return stops.length > 0 ? stops : undefined
}

function alternativesOf(
  { logprobs, fields }: GenerateRequest,
  drop: RecordLoss,
): number | undefined {
  if (!logprobs || logprobs.top <= 0) return undefined
  if (logprobs.top > maxLogprobs) {
    const reason = `the Chat Completions API returns ${maxLogprobs} at most; lowered to ${maxLogprobs}`
    drop(fields.logprobs ?? 'top_logprobs', reason)
  }
  return Math.min(logprobs.top, maxLogprobs)
}

/**
 * Encodes the end user, metadata, cache key, service tier and storage. Providers of models that are not
 * OpenAI's may support only `user`, the predecessor of `safety_identifier`.
 */
export function encodeAccounting(
  request: GenerateRequest,
  upstreamModel: string,
  lacks: readonly AccountLack[],
  drop: RecordLoss,
): JsonObject {
  const { endUser, metadata, cacheKey, store } = request
  const user = endUser && shortenId(endUser)
  const lacksIdentifier = lacks.includes('safety_identifier')
  return defined({
    safety_identifier: lacksIdentifier ? undefined : user,
    user: isServedByOpenAi(upstreamModel) && !lacksIdentifier ? undefined : user,
    metadata: store ? metadata : undefined,
    prompt_cache_key: cacheKey && shortenId(cacheKey),
    service_tier: encodeTier(request, drop),
    store,
  })
}

function encodeTier(
  { serviceTier, fields }: GenerateRequest,
  drop: RecordLoss,
): string | undefined {
  const tier = serviceTier && tierOf(serviceTier)
  if (serviceTier && !tier) {
    drop(fields.service_tier ?? 'service_tier', 'the Chat Completions API has no such tier')
  }
  return tier || undefined
}
