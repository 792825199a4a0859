import { errorIn, failedOutcome, statusOfError } from '../../../src/kit/upstream-error.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { stringAt } from '../../../src/lib/json/read.ts'
import { readUsage, usageIn } from './codec/usage.ts'

/** What a complete `chat.completion` means; one without any choice may be an error in disguise. */
export function chatOutcome(json: unknown): Outcome {
  const choices = (json as { choices?: unknown } | null)?.choices
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  const error = first === undefined ? errorIn(json) : undefined
  if (error) return failedOutcome(statusOfError(error), error)
  return outcomeOf(
    stringAt(json, 'id'),
    stringAt(json, 'model'),
    stringAt(first, 'finish_reason'),
    usageOf(json),
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

/** What a reply, or a chunk of one, tells of its tokens; `undefined` where it has no field for them. */
export function usageOf(json: unknown): Usage | undefined {
  const usage = usageIn(json)
  return usage && knownUsage(readUsage(usage))
}
