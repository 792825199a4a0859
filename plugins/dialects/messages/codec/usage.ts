import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { tokensAt } from '../../../../src/lib/json/read.ts'

/**
 * Counts of one message. In a stream they come in two events, the later ones being totals; the
 * output count of the first is a placeholder.
 */
export class UsageCount {
  #fresh: number | undefined
  #cached: number | undefined
  #written: number | undefined
  #output: number | undefined
  #reasoning: number | undefined

  noteInput(usage: unknown): void {
    this.#fresh = tokensAt(usage, 'input_tokens') ?? this.#fresh
    this.#cached = tokensAt(usage, 'cache_read_input_tokens') ?? this.#cached
    this.#written = tokensAt(usage, 'cache_creation_input_tokens') ?? this.#written
  }

  noteAll(usage: Readonly<Record<string, unknown>> | undefined): void {
    this.noteInput(usage)
    this.#output = tokensAt(usage, 'output_tokens') ?? this.#output
    this.#reasoning = tokensAt(usage?.output_tokens_details, 'thinking_tokens') ?? this.#reasoning
  }

  /** `input_tokens` leaves out what caches gave and took; ours counts the whole prompt. */
  get total(): GenerateUsage {
    const input =
      this.#fresh === undefined
        ? undefined
        : this.#fresh + (this.#cached ?? 0) + (this.#written ?? 0)
    return {
      ...(input !== undefined && { inputTokens: input }),
      ...(this.#output !== undefined && { outputTokens: this.#output }),
      ...(this.#cached !== undefined && { cachedTokens: this.#cached }),
      ...(this.#written !== undefined && { cacheWriteTokens: this.#written }),
      ...(this.#reasoning !== undefined && { reasoningTokens: this.#reasoning }),
    }
  }
}

/** What `message_start` carries, as nothing is known yet but SDKs read numbers from it. */
export const noUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  cache_creation: null,
  output_tokens: 0,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
}

/** SDKs fail without `output_tokens`, so what is unknown is 0 there and null elsewhere. */
export function writeDeltaUsage(usage: GenerateUsage): Record<string, unknown> {
  return {
    input_tokens: freshTokens(usage) ?? null,
    cache_creation_input_tokens: usage.cacheWriteTokens ?? null,
    cache_read_input_tokens: usage.cachedTokens ?? null,
    output_tokens: usage.outputTokens ?? 0,
    output_tokens_details:
      usage.reasoningTokens === undefined ? null : { thinking_tokens: usage.reasoningTokens },
    server_tool_use: null,
  }
}

export function writeUsage(usage: GenerateUsage, serviceTier?: string): Record<string, unknown> {
  return {
    ...noUsage,
    ...writeDeltaUsage(usage),
    input_tokens: freshTokens(usage) ?? 0,
    service_tier: serviceTier === undefined ? null : (tierNames.get(serviceTier) ?? null),
  }
}

function freshTokens(usage: GenerateUsage): number | undefined {
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage
  if (inputTokens === undefined) return undefined
  return Math.max(0, inputTokens - cachedTokens - cacheWriteTokens)
}

const tierNames = new Map([
  ['default', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
])

/** The tier that served a message, in the word that other dialects have for it. */
export function readServedTier(usage: unknown): string | undefined {
  const tier = (usage as Record<string, unknown> | null | undefined)?.service_tier
  if (typeof tier !== 'string') return undefined
  return tier === 'standard' ? 'default' : tier
}
