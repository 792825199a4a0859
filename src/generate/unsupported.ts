/**
 * What some dialects have and others lack. Which of them a request uses is told by `Fields`; what
 * becomes of it by the `Lacks` of the account's dialect.
 */
export type Feature =
  | 'assistant_prefill'
  | 'audio_input'
  | 'audio_url'
  | 'cache_key'
  | 'candidates'
  | 'custom_tools'
  | 'document_context'
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
  | 'tool_result_failed'
  | 'tool_result_media'
  | 'tool_result_stray'
  | 'tool_subset'
  | 'top_k'
  | 'verbosity'

/** What every dialect can say, while not every model takes it as it is said. */
export type Setting = 'max_output_tokens' | 'reasoning' | 'temperature' | 'tool_choice' | 'top_p'

/** What the client calls the features that its request uses: `generationConfig.topK`. */
export type RequestFields = Readonly<Partial<Record<Feature, string>>>

/** What the client calls the settings that it made. */
export type RequestSettings = Readonly<Partial<Record<Setting, string>>>

/**
 * - `silent`: a hint that nobody will miss
 * - `warn`: dropped or changed, and the client is told
 * - `native`: only an account that speaks the client's dialect can serve this
 */
export type Treatment = 'silent' | 'warn' | 'native'

/**
 * What becomes of what an account cannot be asked for: it is dropped and told, the call goes to
 * accounts of its own dialect only, or it is refused.
 */
export type LossPolicy = 'drop' | 'native' | 'reject'

/** What a dialect cannot say, and what becomes of it. */
export type Unsupported = Readonly<Partial<Record<Feature, UnsupportedFeature>>>

export interface UnsupportedFeature {
  readonly treatment: Treatment
  /**
   * Why it cannot be had, as clients and operators read it: a clause without a full stop. What is done
   * about it follows after a semicolon, for where it is not refused.
   */
  readonly reason: string
  /** What the client can do about it: `ask for 16 or more`. Absent: leave it out. */
  readonly way?: string | undefined
}

/** A hint that nobody will miss. */
export function silent(reason: string): UnsupportedFeature {
  return { treatment: 'silent', reason }
}

/** Dropped or changed, and the client is told. */
export function warn(reason: string, way?: string): UnsupportedFeature {
  return { treatment: 'warn', reason, way }
}

/** For accounts that speak the client's dialect, and no others. */
export function native(reason: string): UnsupportedFeature {
  return { treatment: 'native', reason }
}

/** Something that only the client's own dialect has. */
export interface Extra extends UnsupportedFeature {
  /** As the client calls it. */
  readonly field: string
}

export const noFeatures: ReadonlySet<Feature> = new Set()
