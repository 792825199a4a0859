import type { Outcome } from '../../../src/exchange.ts'
import { count, knownUsage, part, text } from '../../../src/usage.ts'

/** What a response object means, from a JSON reply or from a terminal event. */
export function responseOutcome(json: unknown): Outcome {
  const id = text(json, 'id')
  const model = text(json, 'model')
  const usage = part(json, 'usage')
  return {
    status: statuses[text(json, 'status') ?? 'completed'] ?? 'incomplete',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'response', id, model },
    usage: usage && readUsage(usage),
    items: itemIds(json),
  }
}

/** A queued response is not complete, though nothing went wrong. */
const statuses: Record<string, Outcome['status']> = {
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
}

function readUsage(usage: Record<string, unknown>) {
  return knownUsage({
    inputTokens: count(usage, 'input_tokens'),
    outputTokens: count(usage, 'output_tokens'),
    cachedTokens: count(usage.input_tokens_details, 'cached_tokens'),
    reasoningTokens: count(usage.output_tokens_details, 'reasoning_tokens'),
  })
}

function itemIds(json: unknown): string[] {
  const output = (json as { output?: unknown } | null)?.output
  if (!Array.isArray(output)) return []
  return output.map((item) => text(item, 'id')).filter((id) => id !== undefined)
}
