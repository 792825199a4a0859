import type { Drop } from '../codec.ts'
import { defined } from '../generate/defined.ts'
import { effortOf } from '../generate/effort.ts'
import { reasoningField, settingField } from '../generate/fields.ts'
import type { Effort, GenerateRequest } from '../generate/request.ts'
import { named, takenEffort } from './model-efforts.ts'

/**
 * What is known of OpenAI's models by their names, whichever account serves them. A name that is
 * not known takes everything but an unusual effort.
 */

/** Everybody may serve the weights of gpt-oss. */
const servedByOpenAi = named('gpt-(?!oss)|chatgpt-|o[1-4](?!\\d)')

/** Models from before reasoning, or without it, refuse to be asked how they are to think. */
const neverReasons = named('gpt-3\\.5|gpt-4|chatgpt-4|gpt-5-chat')

/** The first models that reason refuse to be told how to sample. Later ones decide by the effort. */
const neverSamples = named('o[1-4](?!\\d)|gpt-5(?![.\\d]|-chat)')

/**
 * "With o1 models and newer, `developer` messages replace the previous `system` messages"
 * (`ChatCompletionDeveloperMessageParam` of openai 7), but for the first two of them, which refuse
 * it (github.com/lobehub/lobehub/issues/5704).
 */
const readsDeveloper = named(
  'o1(?!-mini|-preview|\\d)|o[2-9](?!\\d)|gpt-[5-9](?!\\d)(?!(?:\\.\\d+)?-chat)',
)

export function reasons(model: string): boolean {
  return !neverReasons.test(model)
}

/** Whether whoever serves it knows the fields that OpenAI has now. */
export function isServedByOpenAi(model: string): boolean {
  return servedByOpenAi.test(model)
}

/** In whose name a model reads what a system text says. */
export function systemRole(model: string): 'developer' | 'system' {
  return readsDeveloper.test(model) ? 'developer' : 'system'
}

/**
 * The request without what its model is known to refuse. `most` is the greatest effort that the
 * API knows, which the client's effort or budget becomes, as near as the model can come.
 */
export function fitted(
  request: GenerateRequest,
  model: string,
  most: Effort,
  drop: Drop,
): GenerateRequest {
  const reasoned = withoutReasoning(request, model, drop)
  return withoutSampling(withTakenEffort(reasoned, model, most, drop), model, drop)
}

function withoutReasoning(request: GenerateRequest, model: string, drop: Drop): GenerateRequest {
  const { reasoning, ...rest } = request
  if (!reasoning || reasons(model)) return request
  const { effort, budget, show } = reasoning
  const asksForNone = (effort ?? 'none') === 'none' && !budget && !show
  if (!asksForNone) drop(reasoningField(request), 'the model does not reason')
  return rest
}

/** A budget of tokens becomes an effort, too. */
function withTakenEffort(
  request: GenerateRequest,
  model: string,
  most: Effort,
  drop: Drop,
): GenerateRequest {
  const { reasoning } = request
  const asked = effortOf(reasoning)
  if (!reasoning || asked === undefined) return request
  const effort = takenEffort(asked, model, most)
  if (effort !== asked) {
    const reason = effort
      ? `\`${effort}\` is the nearest that the model takes; asked as that`
      : 'the model is not known to take it; left out'
    drop(effortField(request), reason)
  }
  const { show, summary } = reasoning
  return { ...request, reasoning: defined({ effort, show, summary }) }
}

/** What the client calls that which became the effort. */
function effortField(request: GenerateRequest): string {
  const { reasoning, fields } = request
  const field = reasoning?.effort === undefined ? undefined : fields.reasoning_effort
  return field ?? reasoningField(request)
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
