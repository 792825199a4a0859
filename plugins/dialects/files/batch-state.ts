import type { EndedResponse, Usage } from '../../../src/contract/outcome.ts'
import type { BackgroundWork } from '../../../src/contract/dialect-info.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { batchTier, knownUsage, reportedUsage } from '../../../src/kit/usage.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, stringAt, tokensAt } from '../../../src/lib/json/read.ts'

/** The gateway's ids of a batch's files. `null`: the batch has no such file. */
interface BatchFiles {
  readonly input: string
  readonly output: string | null
  readonly error: string | null
}

/** The members of an account's batch without `id`, with the gateway's ids of its files. */
export function batchOf(json: object, { input, output, error }: BatchFiles): JsonObject {
  const { id: _id, ...shown } = json as JsonObject
  return { ...shown, input_file_id: input, output_file_id: output, error_file_id: error }
}

/** How a batch has ended, by its status (docs/wire/openai.md 8). */
const ends: Readonly<Record<string, EndedResponse['status']>> = {
  completed: 'completed',
  expired: 'incomplete',
  cancelled: 'cancelled',
  failed: 'failed',
}

/** Whether the account changes a batch no more. */
export function isOver(json: unknown): boolean {
  return Object.hasOwn(ends, stringAt(json, 'status') ?? '')
}

/** How accounts say what a batch has used: in the batch, or in the lines of its output. */
export const batchWork: BackgroundWork = {
  lookUp: (id) => ({ method: 'GET', path: fillPath('/v1/batches/{id}', { id }) }),
  cancel: (id) => ({ method: 'POST', path: fillPath('/v1/batches/{id}/cancel', { id }) }),
  endOf(reply) {
    const status = ends[stringAt(reply, 'status') ?? '']
    if (!status) return undefined
    const usage = hasServed(reply) ? usageOf(objectAt(reply, 'usage')) : noTokens
    return { status, ...(usage && { usage }) }
  },
  resultsOf(reply) {
    const id = stringAt(reply, 'output_file_id')
    if (id === undefined) return undefined
    const place = { method: 'GET', path: fillPath('/v1/files/{id}/content', { id }) } as const
    return { place, usageOf: usageOfLine }
  },
}

const noTokens: Usage = { inputTokens: 0, outputTokens: 0 }

/** Whether a batch has replies: one that has not begun reports zeros. */
function hasServed(reply: unknown): boolean {
  const counts = objectAt(reply, 'request_counts')
  return tokensAt(counts, 'completed') !== 0 || stringAt(reply, 'output_file_id') !== undefined
}

function usageOfLine(line: unknown): Usage | undefined {
  return usageOf(objectAt(objectAt(objectAt(line, 'response'), 'body'), 'usage'))
}

/** The usage of a batch, or of a reply of one in the words of any endpoint. */
function usageOf(usage: JsonObject | undefined): Usage | undefined {
  if (!usage) return undefined
  const inputTokens = tokensAt(usage, 'input_tokens') ?? tokensAt(usage, 'prompt_tokens')
  const outputTokens = tokensAt(usage, 'output_tokens') ?? tokensAt(usage, 'completion_tokens')
  const [input, output] = ['input', 'prompt'].map((word) => usage[`${word}_tokens_details`])
  const details = input ?? output
  const reply = usage['output_tokens_details'] ?? usage['completion_tokens_details']
  const known = reportedUsage({
    inputTokens,
    // Embeddings have no tokens of a reply.
    outputTokens: outputTokens ?? (inputTokens === undefined ? undefined : 0),
    cachedTokens: tokensAt(details, 'cached_tokens'),
    reasoningTokens: tokensAt(reply, 'reasoning_tokens'),
  })
  // A batch without tokens, although it has replies, does not report them.
  if (!known || (known.inputTokens === 0 && known.outputTokens === 0)) return undefined
  return knownUsage({ ...known, tier: batchTier })
}
