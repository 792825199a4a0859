import type { Usage } from '../contract/outcome.ts'

/** Removes the numbers that are `undefined`. */
export function knownUsage(usage: { [K in keyof Usage]: number | undefined }): Usage {
  const known: { -readonly [K in keyof Usage]: Usage[K] } = {}
  if (usage.inputTokens !== undefined) known.inputTokens = usage.inputTokens
  if (usage.outputTokens !== undefined) known.outputTokens = usage.outputTokens
  if (usage.cachedTokens !== undefined) known.cachedTokens = usage.cachedTokens
  if (usage.cacheWriteTokens !== undefined) known.cacheWriteTokens = usage.cacheWriteTokens
  if (usage.reasoningTokens !== undefined) known.reasoningTokens = usage.reasoningTokens
  return known
}
