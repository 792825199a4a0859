import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { objectAt, objectsIn, stringAt, tokensAt } from '../../../../src/lib/json/read.ts'
import { reportedCost, servedTier } from '../../../../src/kit/usage.ts'

/** Returns the token counts of a response; unknown counts are absent. */
export function readUsage(response: JsonObject): GenerateUsage {
  const usage = objectAt(response, 'usage')
  const known: { -readonly [K in keyof GenerateUsage]: GenerateUsage[K] } = {}
  const set = (name: Counts, value: number | undefined) => {
    if (value !== undefined) known[name] = value
  }
  set('inputTokens', tokensAt(usage, 'input_tokens'))
  set('outputTokens', tokensAt(usage, 'output_tokens'))
  const input = usage?.input_tokens_details
  set('cachedTokens', tokensAt(input, 'cached_tokens'))
  set('cacheWriteTokens', tokensAt(input, 'cache_write_tokens'))
  const output = usage?.output_tokens_details
  set('reasoningTokens', tokensAt(output, 'reasoning_tokens'))
  set('audioInputTokens', tokensAt(input, 'audio_tokens') || undefined)
  set('imageInputTokens', tokensAt(input, 'image_tokens') || undefined)
  set('audioOutputTokens', tokensAt(output, 'audio_tokens') || undefined)
  set('imageOutputTokens', tokensAt(output, 'image_tokens') || undefined)
  set('searches', searchesIn(response) || undefined)
  set('costNano', reportedCost(usage))
  const tier = servedTier(stringAt(response, 'service_tier'))
  // Another model draws them: the usage has no tokens of it.
  const images = imagesIn(response)
  return {
    ...known,
    ...(tier !== undefined && { tier }),
    ...(images > 0 && { images, isPartial: true }),
  }
}

/** The members of a usage that are numbers. */
type Counts = {
  [Name in keyof GenerateUsage]-?: NonNullable<GenerateUsage[Name]> extends number ? Name : never
}[keyof GenerateUsage]

/** The images that have been drawn for a response. */
function imagesIn({ output }: JsonObject): number {
  return objectsIn(output).filter(
    ({ type, status }) => type === 'image_generation_call' && status !== 'failed',
  ).length
}

/** The web searches of a response. To open a page and to find a text in it are no searches (OpenAI's price list). */
function searchesIn({ output }: JsonObject): number {
  const calls = objectsIn(output).filter(({ type }) => type === 'web_search_call')
  return calls.filter(({ status, action }) => {
    const kind = stringAt(action, 'type') ?? 'search'
    return status !== 'failed' && kind === 'search'
  }).length
}

/**
 * Returns `usage` with every count, as SDK types require: `null` if input or output tokens are
 * unknown, and 0 for unknown cache and reasoning counts.
 */
export function writeUsage(usage: GenerateUsage): JsonObject | null {
  const { inputTokens: input, outputTokens: output } = usage
  if (input === undefined || output === undefined) return null
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: input + output,
  }
}
