import {
  errorIn,
  errorUnless,
  failedOutcome,
  isEmpty,
  spoilt,
} from '../../../src/kit/upstream-error.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { isGenerateBody } from './codec/decode-reply/read-reply.ts'
import { isUnusableEnd } from './codec/stop.ts'
import { UsageReader } from './codec/usage.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { statusOfGoogleError } from '../shared/google-error.ts'

/** Returns the outcome of a complete reply. */
export function generateOutcome(json: unknown): Outcome {
  const error = errorUnless(isGenerateBody, json)
  if (error) return failed(error)
  const candidates = (json as { candidates?: unknown } | null)?.candidates
  return outcomeOf(
    stringAt(json, 'responseId'),
    stringAt(json, 'modelVersion'),
    objectsIn(candidates).flatMap((one) => stringAt(one, 'finishReason') ?? []),
    readUsage(json),
  )
}

/** The same for a reply that may have no usable answer, as the codec judges it. */
export function generateAnswerOutcome(json: unknown): Outcome {
  const outcome = generateOutcome(json)
  const isBlocked = stringAt(objectAt(json, 'promptFeedback'), 'blockReason')
  if (outcome.fault !== 'none' || isBlocked) return outcome
  const all = objectsIn((json as JsonObject | null)?.['candidates'])
  if (all.length === 0) return spoilt(outcome)
  return all.every(isUnusable) ? spoilt(outcome, 'answer') : outcome
}

/** Whether a candidate has no usable answer, as the codec judges it. Thoughts are none. */
function isUnusable(candidate: JsonObject): boolean {
  return isUnusableEnd(stringAt(candidate, 'finishReason')) && !hasAnswer(candidate)
}

/** Whether a candidate has a part of an answer. */
export function hasAnswer(candidate: JsonObject): boolean {
  const parts = objectsIn(objectAt(candidate, 'content')?.['parts'])
  return parts.some((part) => part.thought !== true && !isWithoutAnswer(part))
}

/** The outcome of a stream without an answer: its model has failed if all of its candidates have. */
export function withoutAnswer(outcome: Outcome): Outcome {
  const { finishReasons = [] } = outcome
  const isSpoilt = finishReasons.length > 0 && finishReasons.every(isUnusableEnd)
  return isSpoilt ? spoilt(outcome, 'answer') : outcome
}

function isWithoutAnswer(part: JsonObject): boolean {
  return Object.entries(part).every(
    ([name, value]) => name === 'thoughtSignature' || isEmpty(value),
  )
}

/** Returns the outcome of a token count, which produces no resource and uses no tokens. */
export function countOutcome(json: unknown): Outcome {
  const error = numberAt(json, 'totalTokens') === undefined ? errorIn(json) : undefined
  return error ? failed(error) : { status: 'completed', fault: 'none' }
}

function failed(error: Record<string, unknown>): Outcome {
  return failedOutcome(statusOfGoogleError(error), error)
}

/**
 * Returns the outcome for the finish reasons of the candidates: only `STOP` means a complete answer. A reply to
 * a blocked prompt has no candidates.
 */
export function outcomeOf(
  id: string | undefined,
  model: string | undefined,
  finishReasons: readonly string[],
  usage: Usage | undefined,
): Outcome {
  return {
    status: finishReasons[0] === 'STOP' ? 'completed' : 'incomplete',
    fault: 'none',
    produced: id === undefined ? undefined : { kind: 'generated.content', id, model },
    usage,
    finishReasons,
  }
}

/** Whether a reply or a chunk explains its end, or a blocked prompt, in the account's own words. */
export function explainsEnd(json: unknown): boolean {
  return (
    objectAt(json, 'promptFeedback') !== undefined ||
    objectsIn((json as { candidates?: unknown } | null | undefined)?.candidates).some(
      ({ finishMessage }) => finishMessage !== undefined,
    )
  )
}

/** Reads the usage of a whole reply; returns `undefined` if it reports none. */
export function readUsage(reply: unknown): Usage | undefined {
  if (!objectAt(reply, 'usageMetadata')) return undefined
  const reader = new UsageReader()
  reader.read(reply as JsonObject)
  return knownUsage(reader.usage)
}
