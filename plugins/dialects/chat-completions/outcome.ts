import { errorIn, failedOutcome, statusOfWords } from '../../../src/error-reply.ts'
import type { Outcome, Usage } from '../../../src/exchange.ts'
import { count, knownUsage, part, text } from '../../../src/usage.ts'

/** What a complete `chat.completion` means; one without any choice may be an error in disguise. */
export function chatOutcome(json: unknown): Outcome {
  const choices = (json as { choices?: unknown } | null)?.choices
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  const error = first === undefined ? errorIn(json) : undefined
  if (error) return failedOutcome(statusOfWords(error), error)
  return outcomeOf(
    text(json, 'id'),
    text(json, 'model'),
    text(first, 'finish_reason'),
    readUsage(part(json, 'usage')),
  )
}

/** `length` and `content_filter` cut an answer short; every other reason completes it. */
export function outcomeOf(
  id: string | undefined,
  model: string | undefined,
  finishReason: string | undefined,
  usage: Usage | undefined,
): Outcome {
  const cut = finishReason === 'length' || finishReason === 'content_filter'
  return {
    status: cut ? 'incomplete' : 'completed',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'chat.completion', id, model },
    usage,
  }
}

export function readUsage(usage: Record<string, unknown> | undefined): Usage | undefined {
  return (
    usage &&
    knownUsage({
      inputTokens: count(usage, 'prompt_tokens'),
      outputTokens: count(usage, 'completion_tokens'),
      cachedTokens: count(usage.prompt_tokens_details, 'cached_tokens'),
      reasoningTokens: count(usage.completion_tokens_details, 'reasoning_tokens'),
    })
  )
}
