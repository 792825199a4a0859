import { errorIn, errorUnless, failedOutcome } from '../../../src/kit/upstream-error.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage } from '../../../src/kit/usage.ts'
import { numberAt, objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import { isGenerateBody } from './codec/decode-reply/read-reply.ts'
import { UsageReader } from './codec/usage.ts'
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
    readUsage(objectAt(json, 'usageMetadata')),
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

/** Reads `usageMetadata`; returns `undefined` if it is absent. */
export function readUsage(usage: Record<string, unknown> | undefined): Usage | undefined {
  if (!usage) return undefined
  const reader = new UsageReader()
  reader.read(usage)
  return knownUsage(reader.usage)
}
