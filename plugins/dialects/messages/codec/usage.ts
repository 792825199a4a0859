import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { specialTokens, tierOfWords, tierWordAt } from '../../../../src/kit/usage.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, objectsIn, tokensAt } from '../../../../src/lib/json/read.ts'

/**
 * The token counts of one message. In a stream two events have counts: the later event has
 * totals, and the output count of the first event is a placeholder.
 */
export class UsageCount {
  #uncached: number | undefined
  #cached: number | undefined
  #written: number | undefined
  #output: number | undefined
  #reasoning: number | undefined
  #written1h: number | undefined
  #serviceTier: string | undefined
  #speed: string | undefined
  #region: string | undefined
  #searches: number | undefined
  #isPartial = false
  /** The usage of compactions, which the other counts leave out. */
  #compactions: readonly JsonObject[] = []

  /** Reads the input counts of a usage object. */
  noteInput(usage: unknown): void {
    this.#uncached = tokensAt(usage, 'input_tokens') ?? this.#uncached
    this.#cached = tokensAt(usage, 'cache_read_input_tokens') ?? this.#cached
    this.#written = tokensAt(usage, 'cache_creation_input_tokens') ?? this.#written
    const writes = objectAt(usage, 'cache_creation')
    this.#written1h = tokensAt(writes, 'ephemeral_1h_input_tokens') ?? this.#written1h
    const searches = tokensAt(objectAt(usage, 'server_tool_use'), 'web_search_requests')
    this.#searches = searches ?? this.#searches
    this.#serviceTier = tierWordAt(usage, 'service_tier') ?? this.#serviceTier
    this.#speed = tierWordAt(usage, 'speed') ?? this.#speed
    this.#region = tierWordAt(usage, 'inference_geo') ?? this.#region
    const others = otherCallsIn(usage)
    if (others.length === 0) return
    this.#isPartial = true
    this.#compactions = others.filter(({ type }) => type === 'compaction')
  }

  /** Reads all counts of a usage object. */
  noteAll(usage: Readonly<Record<string, unknown>> | undefined): void {
    this.noteInput(usage)
    this.#output = tokensAt(usage, 'output_tokens') ?? this.#output
    this.#reasoning = tokensAt(usage?.output_tokens_details, 'thinking_tokens') ?? this.#reasoning
  }

  /** The neutral counts. `input_tokens` excludes cached tokens; the neutral count includes them. */
  get total(): GenerateUsage {
    const uncached = this.#withCompactions(this.#uncached, 'input_tokens')
    const cached = this.#withCompactions(this.#cached, 'cache_read_input_tokens')
    const written = this.#withCompactions(this.#written, 'cache_creation_input_tokens')
    const output = this.#withCompactions(this.#output, 'output_tokens')
    const input = uncached === undefined ? undefined : uncached + (cached ?? 0) + (written ?? 0)
    return {
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
      ...(cached !== undefined && { cachedTokens: cached }),
      ...(written !== undefined && { cacheWriteTokens: written }),
      ...(this.#reasoning !== undefined && { reasoningTokens: this.#reasoning }),
      ...specialTokens({
        cacheWrite1hTokens: this.#written1h || undefined,
        searches: this.#searches || undefined,
        tier: tierOfWords([this.#serviceTier, this.#speed, this.#region]),
        isPartial: this.#isPartial || undefined,
      }),
    }
  }

  #withCompactions(count: number | undefined, name: string): number | undefined {
    if (count === undefined) return undefined
    return this.#compactions.reduce((sum, usage) => sum + (tokensAt(usage, name) ?? 0), count)
  }
}

/** The counts leave out the other calls that a message took: a compaction, an advisor. The list has them. */
function otherCallsIn(usage: unknown): JsonObject[] {
  const { iterations } = (usage ?? {}) as Readonly<Record<string, unknown>>
  return objectsIn(iterations).filter(({ type }) => type !== 'message')
}

/** The usage of `message_start`, from which SDKs read numbers although no counts are known yet. */
const noUsage = {
  input_tokens: 0,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  cache_creation: null,
  output_tokens: 0,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
}

/** Writes the usage of `message_delta`. SDKs require `output_tokens`: 0 if unknown. Others are null. */
export function writeDeltaUsage(usage: GenerateUsage): Record<string, unknown> {
  return {
    input_tokens: uncachedTokens(usage) ?? null,
    cache_creation_input_tokens: usage.cacheWriteTokens ?? null,
    cache_read_input_tokens: usage.cachedTokens ?? null,
    output_tokens: usage.outputTokens ?? 0,
    output_tokens_details:
      usage.reasoningTokens === undefined ? null : { thinking_tokens: usage.reasoningTokens },
    server_tool_use: null,
  }
}

/** Writes the usage of a complete message or of `message_start`. */
export function writeUsage(usage: GenerateUsage, serviceTier?: string): Record<string, unknown> {
  return {
    ...noUsage,
    ...writeDeltaUsage(usage),
    input_tokens: uncachedTokens(usage) ?? 0,
    service_tier: serviceTier === undefined ? null : (tierNames.get(serviceTier) ?? null),
  }
}

function uncachedTokens(usage: GenerateUsage): number | undefined {
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage
  if (inputTokens === undefined) return undefined
  return Math.max(0, inputTokens - cachedTokens - cacheWriteTokens)
}

const tierNames = new Map([
  ['default', 'standard'],
  ['priority', 'priority'],
  ['batch', 'batch'],
])

/** Returns the service tier of a message by its neutral name. */
export function readServedTier(usage: unknown): string | undefined {
  const tier = (usage as Record<string, unknown> | null | undefined)?.service_tier
  if (typeof tier !== 'string') return undefined
  return tier === 'standard' ? 'default' : tier
}
