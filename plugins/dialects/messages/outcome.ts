import { failedEnd, isCut } from './codec/stop.ts'
import { errorIn, failedOutcome, spoilt } from '../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import { numberAt, objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { replyErrorIn } from './codec/decode-reply/failure.ts'
import { UsageCount } from './codec/usage.ts'
import { statusOfMessagesError } from './errors.ts'

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
  return withDisclosed(outcome, disclosedBy(json))
}

/** The same for a message that may have no usable answer, as the codec judges it. */
export function messageAnswerOutcome(json: unknown): Outcome {
  const outcome = messageOutcome(json)
  if (outcome.fault !== 'none') return outcome
  const { content, stop_reason: reason } = (json ?? {}) as JsonObject
  const blocks = objectsIn(content)
  if (blocks.some((block) => block.type === 'tool_use' && !stringAt(block, 'name'))) {
    return spoilt(outcome)
  }
  const isAnswered =
    typeof content === 'string'
      ? content !== ''
      : blocks.some((block) => !isThinking(block) && block.text !== '')
  return withEnd(outcome, reason, isAnswered)
}

/** The outcome of a message that ends for a reason. */
export function withEnd(outcome: Outcome, reason: unknown, isAnswered: boolean): Outcome {
  const failure = failedEnd(reason, isAnswered)
  return failure ? spoilt(outcome, failure.about && 'answer') : outcome
}

/** Whether a block is no part of an answer. */
export function isThinking({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** Returns the container in which the tools of a message ran. */
export function containerIn(message: unknown): readonly StoredData[] {
  const id = stringAt(objectAt(message, 'container'), 'id')
  return id === undefined ? none : [{ kind: 'container', id }]
}

/** Returns the files that blocks name: those in a container, and those that code has made. */
export function filesIn(blocks: unknown): readonly StoredData[] {
  return objectsIn(blocks)
    .flatMap((block) => [block, ...objectsIn(objectAt(block.content, 'content'))])
    .flatMap((owner) => stringAt(owner, 'file_id') ?? [])
    .map((id) => ({ kind: 'file', id }))
}

const none: readonly StoredData[] = []

function disclosedBy(json: unknown): readonly StoredData[] | undefined {
  const data = [...containerIn(json), ...filesIn((json as { content?: unknown } | null)?.content)]
  return data.length > 0 ? data : undefined
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
    status: isCut(stopReason) ? 'incomplete' : 'completed',
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
