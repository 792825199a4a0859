import type { AssistantPart } from './content.ts'

/** A complete reply in the neutral model. */
export interface GenerateResult {
  /** The upstream's id of the reply. */
  readonly id?: string
  /** The model that the upstream names. */
  readonly model?: string
  /** At least one; several if the request has `candidates`. */
  readonly choices: readonly Choice[]
  readonly usage: GenerateUsage
  readonly serviceTier?: string
}

/** One choice of a reply. */
export interface Choice {
  readonly content: readonly AssistantPart[]
  readonly stop: Stop
}

/** Why the model stopped. */
export interface Stop {
  readonly reason: StopReason
  /** The upstream's own reason, if it differs. */
  readonly raw?: string
  /** The stop sequence that ended the reply. */
  readonly sequence?: string
}

/**
 * The reason for which a model stops.
 *
 * - `stop`: the reply is finished
 * - `tool_calls`: the reply has tool calls and waits for their results
 * - `length`: the limit of output tokens is reached
 * - `context`: the model's context is full
 * - `filtered`: a content filter ended the reply
 * - `refused`: the model refused to reply
 * - `paused`: the model continues in another request
 */
export type StopReason =
  | 'stop'
  | 'tool_calls'
  | 'length'
  | 'context'
  | 'filtered'
  | 'refused'
  | 'paused'

/** The reasons of replies that are not complete. */
export const cutReasons: ReadonlySet<StopReason> = new Set([
  'length',
  'context',
  'filtered',
  'paused',
])

/** Numbers of tokens. A number that the upstream does not report is absent, never 0. */
export interface GenerateUsage extends SpecialTokens {
  /** The whole prompt, tokens read from and written to a cache included. */
  readonly inputTokens?: number
  /** The whole reply, reasoning included. */
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}

/** Counts of special kinds of tokens in a usage. Most replies report no such counts. */
export interface SpecialTokens {
  /** The tokens written to a cache that the cache keeps for an hour. */
  readonly cacheWrite1hTokens?: number
  /** The prompt's tokens of audio. */
  readonly audioInputTokens?: number
  /** The prompt's tokens of images. */
  readonly imageInputTokens?: number
  /** The reply's tokens of audio. */
  readonly audioOutputTokens?: number
  /** The reply's tokens of images. */
  readonly imageOutputTokens?: number
  /** Web searches that the account made for the reply. */
  readonly searches?: number
  /** Images of an image model, also where the account reports the tokens of them. */
  readonly images?: number
  /** `1024x1024`. */
  readonly imageSize?: string
  readonly imageQuality?: string
  /** Seconds of video, of all videos together. */
  readonly videoSeconds?: number
  /** `1280x720`. */
  readonly videoSize?: string
  /** Seconds of audio that the account has listened to, where it reports no tokens: whole ones, rounded up. */
  readonly audioSeconds?: number
  /** Characters of a text that the account has spoken, where it reports no tokens. */
  readonly characters?: number
  /** The longest prompt of requests that are counted together, in tokens. Absent: `inputTokens` are of one prompt. */
  readonly longestPrompt?: number
  /** The service tier that served the call, in the account's words. Absent: the standard one, or not reported. */
  readonly tier?: string
  /** What the account says that the call costs, in nano-dollars. Absent: it does not say. */
  readonly costNano?: number
  /** Whether the account lists the tokens of further model calls, such as a compaction, apart. */
  readonly isPartial?: true
}
