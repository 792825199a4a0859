import { errorIn, failedOutcome } from '../../../src/kit/upstream-error.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import { numberAt, objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { replyErrorIn } from './codec/decode-reply/failure.ts'
import { UsageCount } from './codec/usage.ts'
import { statusOfMessagesError } from './errors.ts'

/** The stop reasons of incomplete messages. */
const incompleteReasons = new Set(['max_tokens', 'model_context_window_exceeded', 'pause_turn'])

/** Returns the outcome of a complete reply. */
export function messageOutcome(json: unknown): Outcome {
  const error = replyErrorIn(json)
  if (error) return failed(error)
  const outcome = outcomeOf(
    stringAt(json, 'id'),
    stringAt(json, 'model'),
    stringAt(json, 'stop_reason'),
    usageOf(objectAt(json, 'usage')),
  )
  return withDisclosed(
    outcome,
    disclosedBy(containerIn(json), filesIn((json as { content?: unknown } | null)?.content)),
  )
}

/** Returns the id of the container in which the tools of a message ran. */
export function containerIn(message: unknown): string | undefined {
  return stringAt(objectAt(message, 'container'), 'id')
}

/** Returns the ids of the files that code has made, which blocks of its results name. */
export function filesIn(blocks: unknown): readonly string[] {
  return objectsIn(blocks)
    .flatMap(({ content }) => objectsIn(objectAt(content, 'content')))
    .flatMap((output) => stringAt(output, 'file_id') ?? [])
}

/** Returns the data that a message discloses; `undefined` for none, as in nearly every message. */
export function disclosedBy(
  container: string | undefined,
  files: readonly string[],
): readonly StoredData[] | undefined {
  if (container === undefined && files.length === 0) return undefined
  return [
    ...(container === undefined ? [] : [{ kind: 'container' as const, id: container }]),
    ...files.map((id) => ({ kind: 'file' as const, id })),
  ]
}

/** Returns the outcome of a message that discloses data. */
export function withDisclosed(
  outcome: Outcome,
  discloses: readonly StoredData[] | undefined,
): Outcome {
  return discloses ? { ...outcome, discloses } : outcome
}

/** Returns the outcome of a token count, which produces no resource and uses no tokens. */
export function countOutcome(json: unknown): Outcome {
  const error = numberAt(json, 'input_tokens') === undefined ? errorIn(json) : undefined
  return error ? failed(error) : { status: 'completed', fault: 'none' }
}

/** Whether a message, or the delta of one, explains a refusal in the account's own words. */
export function explainsRefusal(message: unknown): boolean {
  return objectAt(message, 'stop_details') !== undefined
}

function failed(error: Record<string, unknown>): Outcome {
  return failedOutcome(statusOfMessagesError(error), error)
}

/** Returns the outcome for a stop reason. */
export function outcomeOf(
  id: string | undefined,
  model: string | undefined,
  stopReason: string | undefined,
  usage: Usage,
): Outcome {
  return {
    status: incompleteReasons.has(stopReason ?? '') ? 'incomplete' : 'completed',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'message', id, model },
    usage,
    finishReasons: stopReason === undefined ? undefined : [stopReason],
  }
}

function usageOf(usage: Record<string, unknown> | undefined): Usage {
  const count = new UsageCount()
  count.noteAll(usage)
  return knownUsage(count.total)
}
