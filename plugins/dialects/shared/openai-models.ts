import type { RecordLoss } from '../../../src/contract/codec.ts'
import { effortOf } from '../../../src/generate/effort.ts'
import { reasoningField, settingField } from '../../../src/generate/fields.ts'
import type { Effort, GenerateRequest } from '../../../src/generate/request.ts'
import { defined } from '../../../src/lib/json/object.ts'

/** All efforts, in ascending order. */
const order: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const lowToHigh: readonly Effort[] = ['low', 'medium', 'high']

const lowToXhigh: readonly Effort[] = [...lowToHigh, 'xhigh']

const lowToMax: readonly Effort[] = [...lowToXhigh, 'max']

/**
 * The efforts that OpenAI's models support; the first pattern that matches the name wins. The SDK's
 * types only state that "not all reasoning models support every value" (`ReasoningEffort` of openai 7;
 * openai 4 has low to high "for o-series models", openai 5 adds `minimal`). The other values come from
 * OpenAI's error messages: "Supported values are: 'none', 'low', 'medium', and 'high'". Such errors
 * are quoted in github.com/openai/codex/issues/6647 (gpt-5.1-codex),
 * anomalyco/opencode/issues/4451 (gpt-5.1) and pull/26268 (pro, chat, codex),
 * anomalyco/models.dev/pull/331 (gpt-5-pro), enricoros/big-AGI/issues/1159 (all models of that time)
 * and UKGovernmentBEIS/inspect_ai/pull/5254 (gpt-6-astra).
 */
const effortsByModel: readonly (readonly [name: RegExp, efforts: readonly Effort[]])[] = [
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

/**
 * Returns a pattern for model names with or without a provider's prefix: `o3`, `openai/o3`,
 * `azure:o3`. `names` is the source of a regular expression that matches the start of the name.
 */
function isModelNamed(names: string): RegExp {
  return new RegExp(`(?:^|[/:])(?:${names})`)
}

/**
 * Returns the effort that the model supports in place of `requested`: the next one above, else the
 * highest one, and never more than `maxEffort`, the API's own limit. A model of an unknown name
 * supports low to high. Returns `undefined` when the model supports no effort, and for `none` with an
 * unknown model, which may be unable to switch reasoning off.
 */
function supportedEffort(requested: Effort, model: string, maxEffort: Effort): Effort | undefined {
  const efforts = effortsByModel.find(([name]) => name.test(model))?.[1]
  if (!efforts && requested === 'none') return undefined
  const supported = (efforts ?? lowToHigh).filter((effort) => rank(effort) <= rank(maxEffort))
  return supported.find((effort) => rank(effort) >= rank(requested)) ?? supported.at(-1)
}

function rank(effort: Effort): number {
  return order.indexOf(effort)
}

/** The models that OpenAI alone serves. The weights of gpt-oss are public, so that any provider may serve it. */
const servedByOpenAi = isModelNamed('gpt-(?!oss)|chatgpt-|o[1-4](?!\\d)')

/** These models do not reason and refuse requests with reasoning fields. */
const neverReasons = isModelNamed('gpt-3\\.5|gpt-4|chatgpt-4|gpt-5-chat')

/** The first reasoning models refuse sampling fields. Later ones accept them, depending on the effort. */
const neverSamples = isModelNamed('o[1-4](?!\\d)|gpt-5(?![.\\d]|-chat)')

/**
 * "With o1 models and newer, `developer` messages replace the previous `system` messages"
 * (`ChatCompletionDeveloperMessageParam` of openai 7). The exceptions are o1-mini and o1-preview, which
 * refuse them (github.com/lobehub/lobehub/issues/5704).
 */
const readsDeveloper = isModelNamed(
  'o1(?!-mini|-preview|\\d)|o[2-9](?!\\d)|gpt-[5-9](?!\\d)(?!(?:\\.\\d+)?-chat)',
)

/** Whether the model supports reasoning. Models of unknown names count as reasoning models. */
export function canReason(model: string): boolean {
  return !neverReasons.test(model)
}

/** Whether OpenAI itself serves the model, so that the account supports OpenAI's current fields. */
export function isServedByOpenAi(model: string): boolean {
  return servedByOpenAi.test(model)
}

/** Returns the role of system messages that the model supports. */
export function systemRole(model: string): 'developer' | 'system' {
  return readsDeveloper.test(model) ? 'developer' : 'system'
}

/**
 * Returns the request without the settings that its model is known to refuse, and records each of
 * them as a loss. Models are recognised by name, whichever account serves them. The client's effort or
 * budget becomes the nearest effort that the model supports. `maxEffort` is the API's highest effort.
 */
export function fitRequestToModel(
  request: GenerateRequest,
  model: string,
  maxEffort: Effort,
  drop: RecordLoss,
): GenerateRequest {
  const reasoned = withoutReasoning(request, model, drop)
  return withoutSampling(withSupportedEffort(reasoned, model, maxEffort, drop), model, drop)
}

function withoutReasoning(
  request: GenerateRequest,
  model: string,
  drop: RecordLoss,
): GenerateRequest {
  const { reasoning, ...rest } = request
  if (!reasoning || canReason(model)) return request
  const { effort, budget, show } = reasoning
  const isOff = (effort ?? 'none') === 'none' && !budget && !show
  if (!isOff) drop(reasoningField(request), 'the model does not reason')
  return rest
}

/** Replaces the effort, or the budget in tokens, by a supported effort. */
function withSupportedEffort(
  request: GenerateRequest,
  model: string,
  maxEffort: Effort,
  drop: RecordLoss,
): GenerateRequest {
  const { reasoning } = request
  const requested = effortOf(reasoning)
  if (!reasoning || requested === undefined) return request
  const effort = supportedEffort(requested, model, maxEffort)
  if (effort !== requested) {
    const reason = effort
      ? `\`${effort}\` is the nearest effort that the model supports; it is sent instead`
      : 'the model may not support it; left out'
    drop(effortField(request), reason)
  }
  const { show, summary } = reasoning
  return { ...request, reasoning: defined({ effort, show, summary }) }
}

/** Returns the client's name for the field that the effort comes from. */
function effortField(request: GenerateRequest): string {
  const { reasoning, fields } = request
  const field = reasoning?.effort === undefined ? undefined : fields.reasoning_effort
  return field ?? reasoningField(request)
}

/** Each sampling setting with the name of its feature and its neutral value. */
const samplingSettings = [
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
  for (const [name, feature, neutral] of samplingSettings) {
    const value = sampling[name]
    if (value !== undefined && value !== neutral) {
      drop(fieldOf(request, feature), 'the model does not support it')
    }
    delete sampling[name]
  }
  return { ...request, sampling }
}

function fieldOf(request: GenerateRequest, feature: (typeof samplingSettings)[number][1]): string {
  const isSetting = feature === 'temperature' || feature === 'top_p'
  return isSetting ? settingField(request, feature) : (request.fields[feature] ?? feature)
}
