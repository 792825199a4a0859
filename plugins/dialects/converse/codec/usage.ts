import type { GenerateUsage } from '../../../../src/generate/result.ts'
import { specialTokens, tierOfWords, tierWordAt } from '../../../../src/kit/usage.ts'
import { objectAt, objectsIn, tokensAt } from '../../../../src/lib/json/read.ts'

/** Reads the counts of a reply, or of the event `metadata` of a stream. */
export function readUsage(reply: unknown): GenerateUsage {
  const usage = objectAt(reply, 'usage')
  const uncached = tokensAt(usage, 'inputTokens')
  const output = tokensAt(usage, 'outputTokens')
  const cached = tokensAt(usage, 'cacheReadInputTokens')
  const written = tokensAt(usage, 'cacheWriteInputTokens')
  return {
    // `inputTokens` excludes tokens of caches; the neutral count includes them.
    ...(uncached !== undefined && { inputTokens: uncached + (cached ?? 0) + (written ?? 0) }),
    ...(output !== undefined && { outputTokens: output }),
    ...(cached !== undefined && { cachedTokens: cached }),
    ...(written !== undefined && { cacheWriteTokens: written }),
    ...specialTokens({
      cacheWrite1hTokens: hourTokens(usage?.cacheDetails) || undefined,
      tier: tierOfWords([
        tierWordAt(objectAt(reply, 'serviceTier'), 'type'),
        tierWordAt(objectAt(reply, 'performanceConfig'), 'latency'),
      ]),
    }),
  }
}

/** The tokens that a cache keeps for an hour. */
function hourTokens(details: unknown): number {
  return objectsIn(details)
    .filter(({ ttl }) => ttl === '1h')
    .reduce((sum, detail) => sum + (tokensAt(detail, 'inputTokens') ?? 0), 0)
}
