import type { AssistantPart } from './content.ts'

/** A complete reply. */
export interface GenerateResult {
  /** What the upstream calls it. */
  readonly id?: string
  /** The model that the upstream names. */
  readonly model?: string
  /** At least one; more where more were asked for. */
  readonly choices: readonly Choice[]
  readonly usage: GenerateUsage
  readonly serviceTier?: string
}

export interface Choice {
  readonly content: readonly AssistantPart[]
  readonly stop: Stop
}

/** Why the model stopped. */
export interface Stop {
  readonly reason: StopReason
  /** In the upstream's own word, where it has one. */
  readonly raw?: string
  /** The stop sequence that it ran into. */
  readonly sequence?: string
}

/**
 * - `stop`: it was done
 * - `tool_calls`: it waits for what tools say; so whenever the reply has calls
 * - `length`: the limit of tokens
 * - `context`: the model's context is full
 * - `filtered`: somebody did not let it go on
 * - `refused`: it did not want to
 * - `paused`: it wants to go on in another call
 */
export type StopReason =
  | 'stop'
  | 'tool_calls'
  | 'length'
  | 'context'
  | 'filtered'
  | 'refused'
  | 'paused'

/** Tokens. What the upstream did not tell is absent, never 0. */
export interface GenerateUsage {
  /** Of the whole prompt, what came from a cache and what went into one included. */
  readonly inputTokens?: number
  /** Of the whole answer, reasoning included. */
  readonly outputTokens?: number
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
}
