/**
 * A feature that some dialects support and others do not. `RequestFields` says which features a request
 * uses, and `Unsupported` which ones the account's dialect lacks.
 */
export type Feature =
  | 'assistant_prefill'
  | 'audio_input'
  | 'audio_url'
  | 'cache_key'
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
export type Setting = 'max_output_tokens' | 'reasoning' | 'temperature' | 'tool_choice' | 'top_p'

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

/**
 * Which features a dialect lacks: the treatment of each, or `supported`. A feature that is missing here,
 * because the codec is older than the feature, counts as one that accounts may not support.
 */
export type Unsupported = Readonly<Record<Feature, UnsupportedFeature | typeof supported>>

/** The treatment of one unsupported feature. */
export interface UnsupportedFeature {
  readonly treatment: Treatment
  /**
   * Why the feature is not supported, for clients and operators: a clause without a full stop. After a
   * semicolon it may say what the gateway does instead.
   */
  readonly reason: string
  /** An alternative for the client, such as `ask for 16 or more`. Absent: to omit the field. */
  readonly way?: string | undefined
}

/** Accounts of the dialect support the feature. */
export const supported = false

/** The treatment of a feature by accounts of a dialect; `undefined` if they support it. */
export function lackOf(unsupported: Unsupported, feature: Feature): UnsupportedFeature | undefined {
  const known: Partial<Unsupported> = unsupported
  return (known[feature] ?? unlisted) || undefined
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

const unlisted = warn('the accounts of this model may not support it')

/** A field of a request that the neutral model does not represent. */
export interface Extra extends UnsupportedFeature {
  /** As the client names it. */
  readonly field: string
}

/** No feature. */
export const noFeatures: ReadonlySet<Feature> = new Set()
