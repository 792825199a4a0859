import type { Usage } from '../contract/outcome.ts'

/** The numbers that an account has reported so far; `undefined` if there are none. */
export function reportedUsage(
  usage: { [K in keyof Usage]: number | undefined } | undefined,
): Usage | undefined {
  const known = usage && knownUsage(usage)
  return known && Object.keys(known).length > 0 ? known : undefined
}

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
