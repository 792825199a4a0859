import type { Drop } from '../../../../src/codec.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import { tierOf } from './service-tier.ts'

/** Models from before reasoning refuse to be asked for what they would have thought. */
const neverReasons = /(?:^|[/:])(?:gpt-3\.5|gpt-4|chatgpt-4)/

/** The first models that reason refuse to be told how to sample. Later ones decide by the effort. */
const neverSamples = /(?:^|[/:])(?:o[1-4](?!\d)|gpt-5(?![.\d]|-chat))/

export function reasons(model: string): boolean {
  return !neverReasons.test(model)
}

/** The request without what its model is known to refuse, and without tiers of other providers. */
export function fitted(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  noteTier(request, drop)
  return withoutSampling(withoutReasoning(request, model, drop), model, drop)
}

function withoutReasoning(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  const { reasoning, ...rest } = request
  if (!reasoning || reasons(model)) return request
  const { effort, budget, show } = reasoning
  const asksForNone = (effort ?? 'none') === 'none' && !budget && !show
  const { reasoning_effort, reasoning_budget } = request.fields
  const field = reasoning_effort ?? reasoning_budget ?? 'reasoning'
  if (!asksForNone) drop(field, 'The model does not reason.')
  return rest
}

function withoutSampling(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  if (!neverSamples.test(model)) return request
  const { temperature, topP, ...sampling } = request.sampling
  const reason = 'The model does not take it.'
  if (temperature !== undefined && temperature !== 1) drop('temperature', reason)
  if (topP !== undefined && topP !== 1) drop('top_p', reason)
  return { ...request, sampling }
}

function noteTier({ serviceTier, fields }: GenerateRequest, drop: Drop): void {
  if (serviceTier === undefined || tierOf(serviceTier) !== undefined) return
  drop(fields.service_tier ?? 'service_tier', 'The Responses API has no such tier.')
}
