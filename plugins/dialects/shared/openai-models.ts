import type { RecordLoss } from '../../../src/contract/codec.ts'
import { effortOf } from '../../../src/generate/effort.ts'
import { reasoningField, settingField } from '../../../src/generate/fields.ts'
import type { Effort, GenerateRequest } from '../../../src/generate/request.ts'
import { defined } from '../../../src/lib/json/object.ts'

/** From the least to the most. */
const order: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const lowToHigh: readonly Effort[] = ['low', 'medium', 'high']

const lowToXhigh: readonly Effort[] = [...lowToHigh, 'xhigh']

const lowToMax: readonly Effort[] = [...lowToXhigh, 'max']

/**
 * Which efforts OpenAI's models take; the first name that fits counts. The SDK's types only tell
 * that "not all reasoning models support every value" (`ReasoningEffort` of openai 7; openai 4 has
 * low to high "for o-series models", openai 5 adds `minimal`), so the rest is what OpenAI itself
 * lists where it refuses a value: "Supported values are: 'none', 'low', 'medium', and 'high'".
 * Such refusals stand in github.com/openai/codex/issues/6647 (gpt-5.1-codex),
 * anomalyco/opencode/issues/4451 (gpt-5.1) and pull/26268 (pro, chat, codex),
 * anomalyco/models.dev/pull/331 (gpt-5-pro), enricoros/big-AGI/issues/1159 (all of their time) and
 * UKGovernmentBEIS/inspect_ai/pull/5254 (gpt-6-astra).
 */
const families: readonly (readonly [name: RegExp, takes: readonly Effort[]])[] = [
  [isModelNamed('o1-mini|o1-preview'), []],
  [isModelNamed('o\\d+(?:-mini)?-deep-research|computer-use|gpt-5\\.\\d+-chat'), ['medium']],
  [isModelNamed('o[1-4](?!\\d)|gpt-oss'), lowToHigh],
  [isModelNamed('gpt-5-pro'), ['high']],
  [isModelNamed('gpt-5\\.\\d+-pro'), ['medium', 'high', 'xhigh']],
  [isModelNamed('gpt-5\\.1-codex-max|gpt-5\\.(?:[2-9]|\\d\\d+)-codex'), lowToXhigh],
  [isModelNamed('gpt-5(?:\\.1)?-codex'), lowToHigh],
  [isModelNamed('gpt-5\\.1(?!\\d)'), ['none', ...lowToHigh]],
  [isModelNamed('gpt-5\\.[2-5](?!\\d)'), ['none', ...lowToXhigh]],
  [isModelNamed('gpt-5\\.\\d'), ['none', ...lowToMax]],
  [isModelNamed('gpt-5(?!\\d)'), ['minimal', ...lowToHigh]],
  [isModelNamed('gpt-[6-9](?!\\d)'), lowToMax],
]

/** Model names, whoever serves the model: `o3`, `openai/o3`, `azure:o3`. */
export function isModelNamed(names: string): RegExp {
  return new RegExp(`(?:^|[/:])(?:${names})`)
}

/**
 * The effort that a model takes instead of the one that is asked for: the next one above, else its
 * most, and never more than `most`, which is what the API knows. A model of an unknown name takes
 * what all take; whether it can do without thoughts is open, so that `none` is `undefined`, as is
 * every effort of a model that takes none.
 */
export function takenEffort(asked: Effort, model: string, most: Effort): Effort | undefined {
  const takes = families.find(([name]) => name.test(model))?.[1]
  if (!takes && asked === 'none') return undefined
  const open = (takes ?? lowToHigh).filter((effort) => rank(effort) <= rank(most))
  return open.find((effort) => rank(effort) >= rank(asked)) ?? open.at(-1)
}

function rank(effort: Effort): number {
  return order.indexOf(effort)
}

/**
 * What is known of OpenAI's models by their names, whichever account serves them. A name that is
 * not known takes everything but an unusual effort.
 */

/** Everybody may serve the weights of gpt-oss. */
const servedByOpenAi = isModelNamed('gpt-(?!oss)|chatgpt-|o[1-4](?!\\d)')

/** Models from before reasoning, or without it, refuse to be asked how they are to think. */
const neverReasons = isModelNamed('gpt-3\\.5|gpt-4|chatgpt-4|gpt-5-chat')

/** The first models that reason refuse to be told how to sample. Later ones decide by the effort. */
const neverSamples = isModelNamed('o[1-4](?!\\d)|gpt-5(?![.\\d]|-chat)')

/**
 * "With o1 models and newer, `developer` messages replace the previous `system` messages"
 * (`ChatCompletionDeveloperMessageParam` of openai 7), but for the first two of them, which refuse
 * it (github.com/lobehub/lobehub/issues/5704).
 */
const readsDeveloper = isModelNamed(
  'o1(?!-mini|-preview|\\d)|o[2-9](?!\\d)|gpt-[5-9](?!\\d)(?!(?:\\.\\d+)?-chat)',
)

export function canReason(model: string): boolean {
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
export function fitRequestToModel(
  request: GenerateRequest,
  model: string,
  most: Effort,
  drop: RecordLoss,
): GenerateRequest {
  const reasoned = withoutReasoning(request, model, drop)
  return withoutSampling(withTakenEffort(reasoned, model, most, drop), model, drop)
}

function withoutReasoning(
  request: GenerateRequest,
  model: string,
  drop: RecordLoss,
): GenerateRequest {
  const { reasoning, ...rest } = request
  if (!reasoning || canReason(model)) return request
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
  drop: RecordLoss,
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

function withoutSampling(
  request: GenerateRequest,
  model: string,
  drop: RecordLoss,
): GenerateRequest {
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
