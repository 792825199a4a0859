import type { BackgroundWork } from '../../../../src/contract/dialect-info.ts'
import type { Usage } from '../../../../src/contract/outcome.ts'
import { fillPath } from '../../../../src/kit/account-path.ts'
import { batchTier, knownUsage } from '../../../../src/kit/usage.ts'
import { objectAt, stringAt, tokensAt } from '../../../../src/lib/json/read.ts'

/** Returns the path of a batch at its account. */
export function pathOf(id: string, action = ''): string {
  return fillPath(`/v1/messages/batches/{id}${action}`, { id })
}

/** Whether the account changes a batch no more. */
export function isOver(batch: unknown): boolean {
  return stringAt(batch, 'processing_status') === 'ended'
}

/** How accounts say what a batch has used: in the lines of its results alone. */
export const batchWork: BackgroundWork = {
  lookUp: (id) => ({ method: 'GET', path: pathOf(id) }),
  endOf(reply) {
    if (!isOver(reply)) return undefined
    const counts = objectAt(reply, 'request_counts')
    if (tokensAt(counts, 'succeeded') !== 0) return { status: 'completed' }
    const status = tokensAt(counts, 'canceled') ? 'cancelled' : 'incomplete'
    return { status, usage: { inputTokens: 0, outputTokens: 0 } }
  },
  resultsOf(reply) {
    const id = stringAt(reply, 'id')
    if (id === undefined) return undefined
    return { place: { method: 'GET', path: pathOf(id, '/results') }, usageOf }
  },
}

/** The usage of a result; `undefined` for one without a message. */
function usageOf(line: unknown): Usage | undefined {
  const usage = objectAt(objectAt(objectAt(line, 'result'), 'message'), 'usage')
  const uncached = tokensAt(usage, 'input_tokens')
  if (uncached === undefined) return undefined
  const cachedTokens = tokensAt(usage, 'cache_read_input_tokens')
  const cacheWriteTokens = tokensAt(usage, 'cache_creation_input_tokens')
  return knownUsage({
    // Anthropic counts the tokens of caches apart.
    inputTokens: uncached + (cachedTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: tokensAt(usage, 'output_tokens'),
    cachedTokens,
    cacheWriteTokens,
    cacheWrite1hTokens: tokensAt(usage?.['cache_creation'], 'ephemeral_1h_input_tokens'),
    tier: batchTier,
  })
}
