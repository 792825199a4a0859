import type { GenerateUsage } from '../../../../src/generate/result.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, tokensAt } from '../../../../src/lib/json/read.ts'
import { reportedCost, servedTier, specialTokens } from '../../../../src/kit/usage.ts'

/** Returns the usage object of a reply or a chunk. Groq has a field of its own. */
export function usageIn(reply: unknown): JsonObject | undefined {
  return objectAt(reply, 'usage') ?? objectAt(objectAt(reply, 'x_groq'), 'usage')
}

/** Reads the token counts of a usage object. `tier`: the `service_tier` beside it. */
export function readUsage(usage: JsonObject, tier?: string): GenerateUsage {
  const known: { -readonly [Name in keyof GenerateUsage]: GenerateUsage[Name] } = {}
  const input = tokensAt(usage, 'prompt_tokens')
  const output = readOutput(usage, input)
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage
  const cached =
    tokensAt(prompt, 'cached_tokens') ??
    tokensAt(usage, 'prompt_cache_hit_tokens') ??
    tokensAt(usage, 'cached_tokens')
  const written = tokensAt(prompt, 'cache_write_tokens')
  const reasoning = tokensAt(completion, 'reasoning_tokens')
  if (input !== undefined) known.inputTokens = input
  if (output !== undefined) known.outputTokens = output
  if (cached !== undefined) known.cachedTokens = cached
  if (written !== undefined) known.cacheWriteTokens = written
  if (reasoning !== undefined) known.reasoningTokens = reasoning
  const special = specialTokens({
    audioInputTokens: tokensAt(prompt, 'audio_tokens') || undefined,
    imageInputTokens: tokensAt(prompt, 'image_tokens') || undefined,
    audioOutputTokens: tokensAt(completion, 'audio_tokens') || undefined,
    imageOutputTokens: tokensAt(completion, 'image_tokens') || undefined,
    tier: servedTier(tier),
    costNano: reportedCost(usage),
  })
  return special ? { ...known, ...special } : known
}

/** Returns the output tokens. Some providers count reasoning only in `total_tokens`. */
function readOutput(usage: JsonObject, input: number | undefined): number | undefined {
  const completion = tokensAt(usage, 'completion_tokens')
  const total = tokensAt(usage, 'total_tokens')
  if (input === undefined || total === undefined || total < input) return completion
  return Math.max(completion ?? 0, total - input)
}

/** Writes `usage`. Clients require its three counts: returns `undefined` where one is unknown. */
export function writeUsage(usage: GenerateUsage): JsonObject | undefined {
  const { inputTokens: input, outputTokens: output } = usage
  if (input === undefined || output === undefined) return undefined
  const { cachedTokens, cacheWriteTokens, reasoningTokens } = usage
  const prompt = {
    ...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
    ...(cacheWriteTokens !== undefined && { cache_write_tokens: cacheWriteTokens }),
  }
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
    ...(reasoningTokens !== undefined && {
      completion_tokens_details: { reasoning_tokens: reasoningTokens },
    }),
  }
}

const tiers = ['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']

/** Names of the default tier in other dialects. */
const defaultTiers = ['standard', 'standard_only']

/** Returns the dialect's name for a service tier; `undefined` for a tier that it does not have. */
export function tierOf(tier: string): string | undefined {
  if (defaultTiers.includes(tier)) return 'default'
  return tiers.includes(tier) ? tier : undefined
}
