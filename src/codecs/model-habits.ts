import type { Drop } from '../codec.ts'
import { reasoningField, settingField } from '../generate/fields.ts'
import type { GenerateRequest } from '../generate/request.ts'

/**
 * What is known of OpenAI's models by their names, whichever account serves them. A name that is
 * not known takes everything.
 */

/** Models from before reasoning refuse to be asked how they are to think. */
const neverReasons = /(?:^|[/:])(?:gpt-3\.5|gpt-4|chatgpt-4)/

/** The first models that reason refuse to be told how to sample. Later ones decide by the effort. */
const neverSamples = /(?:^|[/:])(?:o[1-4](?!\d)|gpt-5(?![.\d]|-chat))/

export function reasons(model: string): boolean {
  return !neverReasons.test(model)
}

/** The request without what its model is known to refuse. */
export function fitted(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  return withoutSampling(withoutReasoning(request, model, drop), model, drop)
}

function withoutReasoning(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  const { reasoning, ...rest } = request
  if (!reasoning || reasons(model)) return request
  const { effort, budget, show } = reasoning
  const asksForNone = (effort ?? 'none') === 'none' && !budget && !show
  if (!asksForNone) drop(reasoningField(request), 'the model does not reason')
  return rest
}

/** With its own word for each, and the value that changes nothing. */
const sampled = [
  ['temperature', 'temperature', 1],
  ['topP', 'top_p', 1],
  ['presencePenalty', 'presence_penalty', 0],
  ['frequencyPenalty', 'frequency_penalty', 0],
] as const

function withoutSampling(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  if (!neverSamples.test(model)) return request
  const sampling = { ...request.sampling }
  for (const [name, feature, harmless] of sampled) {
    const value = sampling[name]
    if (value !== undefined && value !== harmless) {
      drop(fieldOf(request, feature), 'the model does not take it')
    }
    delete sampling[name]
  }
  return { ...request, sampling }
}

function fieldOf(request: GenerateRequest, feature: (typeof sampled)[number][1]): string {
  const isSetting = feature === 'temperature' || feature === 'top_p'
  return isSetting ? settingField(request, feature) : (request.fields[feature] ?? feature)
}
