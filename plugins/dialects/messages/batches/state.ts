import type { BackgroundWork } from '../../../../src/contract/dialect-info.ts'
import type { Usage } from '../../../../src/contract/outcome.ts'
import { batchTier, tierOfWords, tierWordAt } from '../../../../src/kit/usage.ts'
import { type ObjectFamily, pathOf } from '../../shared/stored-objects.ts'
import { objectAt, stringAt, tokensAt } from '../../../../src/lib/json/read.ts'
import { UsageCount } from '../codec/usage.ts'

/** Batches of messages. */
export const batchFamily: ObjectFamily = {
  kind: 'message-batch',
  title: 'Batch',
  noun: 'batch',
  prefix: 'msgbatch_',
  folder: '/v1/messages/batches/',
  capability: 'stored-batch',
}

/** Whether the account changes a batch no more. */
export function isOver(batch: unknown): boolean {
  return stringAt(batch, 'processing_status') === 'ended'
}

/** How accounts say what a batch has used: in the lines of its results alone. */
export const batchWork: BackgroundWork = {
  lookUp: (id) => ({ method: 'GET', path: pathOf(batchFamily, id) }),
  cancel: (id) => ({ method: 'POST', path: pathOf(batchFamily, id, '/cancel') }),
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
    return { place: { method: 'GET', path: pathOf(batchFamily, id, '/results') }, usageOf }
  },
}

/** The usage of a result; `undefined` for one without a message. */
function usageOf(line: unknown): Usage | undefined {
  const usage = objectAt(objectAt(objectAt(line, 'result'), 'message'), 'usage')
  if (tokensAt(usage, 'input_tokens') === undefined) return undefined
  const count = new UsageCount()
  count.noteAll(usage)
  return {
    ...count.total,
    tier: tierOfWords([batchTier, tierWordAt(usage, 'inference_geo')]) ?? batchTier,
  }
}
