/**
 * A feature that some dialects support and others do not. `RequestFields` says which features a request
 * uses, and `FeatureSupport` which ones accounts of a dialect support.
 */
export type Feature =
  | 'assistant_prefill'
  | 'audio_input'
  | 'audio_url'
  | 'cache_key'
  | 'cache_points'
  | 'candidates'
  | 'custom_tools'
  | 'document_context'
  | 'empty_message'
  | 'end_user'
  | 'file_input'
  | 'file_url'
  | 'frequency_penalty'
  | 'image_detail'
  | 'image_input'
  | 'image_url'
  | 'json_object'
  | 'json_schema'
  | 'logprobs'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'presence_penalty'
  | 'reasoning_budget'
  | 'reasoning_effort'
  | 'reasoning_history'
  | 'reasoning_summary'
  | 'seed'
  | 'service_tier'
  | 'stop'
  | 'store'
  | 'strict_tools'
  | 'system_midway'
  | 'temperature_above_1'
  | 'tool_output_schema'
  | 'tool_result_failed'
  | 'tool_result_media'
  | 'tool_result_stray'
  | 'tool_subset'
  | 'top_k'
  | 'verbosity'

/** A setting that every dialect supports, while not every model supports every value. */
export type Setting =
  | 'conversation'
  | 'max_output_tokens'
  | 'reasoning'
  | 'temperature'
  | 'tool_choice'
  | 'top_p'

/** The features that a request uses, with the client's field of each, such as `generationConfig.topK`. */
export type RequestFields = Readonly<Partial<Record<Feature, string>>>

/** The settings of a request, with the client's field of each. */
export type RequestSettings = Readonly<Partial<Record<Setting, string>>>

/**
 * The treatment of an unsupported feature.
 *
 * - `silent`: dropped without a loss, because it is only a hint
 * - `warn`: dropped or changed, and recorded as a loss
 * - `native`: only a native account can serve the request
 */
export type Treatment = 'silent' | 'warn' | 'native'

/**
 * The policy for losses: `drop` drops the field and reports the loss, `native` sends the call to native
 * accounts only, `reject` rejects the request.
 */
export type LossPolicy = 'drop' | 'native' | 'reject'

/** The features that accounts of a dialect support, and the treatment of the others. */
export interface FeatureSupport {
  /**
   * The features that accounts support, and that the codec writes. Accounts are asked for no others, so a
   * feature that is missing here is never lost in silence.
   */
  readonly supports: readonly Feature[]
  /**
   * The treatment of other features, and its reason. Absent, or without an entry: hints are dropped, features
   * without which an answer is another answer are left to native accounts, and all else is a loss.
   */
  readonly lacks?: Readonly<Partial<Record<Feature, UnsupportedFeature>>>
}

/**
 * An entry for each feature that is not among `Supported`. A codec that wants all reasons to be its own checks
 * that.
 */
export type LacksBeside<Supported extends readonly Feature[]> = Readonly<
  Record<Exclude<Feature, Supported[number]>, UnsupportedFeature>
>

/** The treatment of one unsupported feature. */
export interface UnsupportedFeature {
  readonly treatment: Treatment
  /**
   * Why the feature is not supported, for clients and operators: a clause without a full stop. After a
   * semicolon it may name the substitute that the gateway uses.
   */
  readonly reason: string
  /** An alternative for the client, such as `ask for 16 or more`. Absent: to omit the field. */
  readonly way?: string | undefined
}

/** The treatment of a feature by accounts of a dialect; `undefined` if they support it. */
export function lackOf(
  { supports, lacks }: FeatureSupport,
  feature: Feature,
): UnsupportedFeature | undefined {
  if (supports.includes(feature)) return undefined
  return lacks?.[feature] ?? { treatment: usualTreatment(feature), reason: notSupported }
}

/** Drops the feature without a loss. */
export function silent(reason: string): UnsupportedFeature {
  return { treatment: 'silent', reason }
}

/** Drops or changes the feature, and records a loss. */
export function warn(reason: string, way?: string): UnsupportedFeature {
  return { treatment: 'warn', reason, way }
}

/** Leaves the request to native accounts. */
export function native(reason: string): UnsupportedFeature {
  return { treatment: 'native', reason }
}

const notSupported = 'the accounts of this model do not support it'

/** Without these, an answer is another answer. */
const essential: ReadonlySet<Feature> = new Set([
  'assistant_prefill',
  'audio_input',
  'audio_url',
  'candidates',
  'custom_tools',
  'file_input',
  'file_url',
  'image_input',
  'image_url',
  'json_object',
  'json_schema',
  'logprobs',
  'tool_result_media',
])

const hints: ReadonlySet<Feature> = new Set([
  'cache_key',
  'cache_points',
  'end_user',
  'metadata',
  'reasoning_history',
])

/** The treatment of a feature that neither a codec nor an account decides about. */
export function usualTreatment(feature: Feature): Treatment {
  if (essential.has(feature)) return 'native'
  return hints.has(feature) ? 'silent' : 'warn'
}

/** A field of a request that the neutral model does not represent. */
export interface Extra extends UnsupportedFeature {
  /** As the client names it. */
  readonly field: string
}

/** No feature. */
export const noFeatures: ReadonlySet<Feature> = new Set()
