import type { Drop, JsonObject } from '../../../../src/codec.ts'
import { isServedByOpenAi } from '../../../../src/codecs/model-habits.ts'
import { defined } from '../../../../src/generate/defined.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { shortName } from '../../../../src/generate/short-names.ts'
import { tierOf } from './service-tier.ts'

/**
 * Who asks, how it is to be served, and what is to be kept of it. Whoever serves the models of
 * others may know only the field that the user had before.
 */
export function encodeAccounting(
  request: GenerateRequest,
  upstreamModel: string,
  drop: Drop,
): JsonObject {
  const { endUser, metadata, cacheKey, store } = request
  const user = endUser && shortName(endUser)
  return defined({
    safety_identifier: user,
    user: isServedByOpenAi(upstreamModel) ? undefined : user,
    metadata: store ? metadata : undefined,
    prompt_cache_key: cacheKey && shortName(cacheKey),
    service_tier: encodeTier(request, drop),
    store,
  })
}

function encodeTier({ serviceTier, fields }: GenerateRequest, drop: Drop): string | undefined {
  const tier = serviceTier && tierOf(serviceTier)
  if (serviceTier && !tier) {
    drop(fields.service_tier ?? 'service_tier', 'the Chat Completions API has no such tier')
  }
  return tier || undefined
}
