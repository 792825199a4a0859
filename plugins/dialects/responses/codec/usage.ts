import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { objectAt, tokensAt } from '../../../../src/lib/json/read.ts'

export function readUsage(response: JsonObject): GenerateUsage {
  const usage = objectAt(response, 'usage')
  const known: { -readonly [K in keyof GenerateUsage]: GenerateUsage[K] } = {}
  const keep = (name: keyof GenerateUsage, value: number | undefined) => {
    if (value !== undefined) known[name] = value
  }
  keep('inputTokens', tokensAt(usage, 'input_tokens'))
  keep('outputTokens', tokensAt(usage, 'output_tokens'))
  const input = usage?.input_tokens_details
  keep('cachedTokens', tokensAt(input, 'cached_tokens'))
  keep('cacheWriteTokens', tokensAt(input, 'cache_write_tokens'))
  keep('reasoningTokens', tokensAt(usage?.output_tokens_details, 'reasoning_tokens'))
  return known
}

/**
 * SDKs require every count of it, so `null` where input or output is not known. What an account does
 * not tell of its caches and thoughts is 0, as their types want it.
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
