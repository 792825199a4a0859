import {
  failedOutcome,
  faultOfStatus,
  isEmpty,
  spoilt,
  statusOfError,
} from '../../../src/kit/upstream-error.ts'
import { type JsonObject, isObject } from '../../../src/lib/json/object.ts'
import type { StoredData } from '../../../src/contract/stored-data.ts'
import type { Outcome, Usage } from '../../../src/contract/outcome.ts'
import { knownUsage, tierWordAt } from '../../../src/kit/usage.ts'
import { append } from '../../../src/lib/append.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import {
  chatErrorIn,
  incompleteEnd,
  isKnownEnd,
  statusOfChoice,
} from './codec/decode-reply/failure.ts'
import { readUsage, usageIn } from './codec/usage.ts'

/** Returns the outcome of a complete reply. */
export function chatOutcome(json: unknown): Outcome {
  const error = chatErrorIn(json)
  if (error) return failedOutcome(statusOfError(error), error)
  const choices = (json as { choices?: unknown } | null)?.choices
  const outcome = outcomeOf(
    stringAt(json, 'id'),
    stringAt(json, 'model'),
    finishReasonsOf(choices),
    usageOf(json, tierWordAt(json, 'service_tier')),
    objectsIn(choices).map(statusOfChoice).find(isStatus),
  )
  const audio = audioOf(choices)
  return audio ? { ...outcome, discloses: audio } : outcome
}

/** The same for a reply that may have no usable answer, as the codec judges it. */
export function chatAnswerOutcome(json: unknown): Outcome {
  const outcome = chatOutcome(json)
  if (outcome.fault !== 'none') return outcome
  const choices = objectsIn((json as JsonObject | null)?.choices)
  const messages = choices.map(messageOf)
  if (!messages.some((message) => message) || messages.some(hasNameless)) return spoilt(outcome)
  return choices.every(isUnusable) ? spoilt(outcome, 'answer') : outcome
}

function messageOf(choice: JsonObject): JsonObject | undefined {
  return objectAt(choice, 'message')
}

function hasNameless(message: JsonObject | undefined): boolean {
  return objectsIn(message?.tool_calls).some(
    (call) => !stringAt(call.function, 'name') && !stringAt(call.custom, 'name'),
  )
}

/** Whether a choice ends for an unknown reason without an answer, as the codec judges it. */
function isUnusable(choice: JsonObject): boolean {
  const reason = stringAt(choice, 'finish_reason')
  return !!reason && !isKnownEnd(reason) && !hasAnswer(messageOf(choice))
}

/** Whether a message or a delta has a part of an answer. */
export function hasAnswer(message: unknown): boolean {
  return (
    isObject(message) &&
    Object.entries(message).some(([name, value]) => !noAnswers.has(name) && !isEmpty(value))
  )
}

/** The outcome of a stream without an answer: its model has failed if it ends for unknown reasons only. */
export function withoutAnswer(outcome: Outcome): Outcome {
  const { fault, finishReasons = [] } = outcome
  const isKnown = fault !== 'none' || finishReasons.length === 0 || finishReasons.some(isKnownEnd)
  return isKnown ? outcome : spoilt(outcome, 'answer')
}

/** Members of a message that are no part of an answer. */
const noAnswers: ReadonlySet<string> = new Set([
  'role',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
])

function isStatus(status: number | undefined): status is number {
  return status !== undefined
}

/** The audio of a reply; `undefined` for none, as in nearly every reply. */
function audioOf(choices: unknown): StoredData[] | undefined {
  if (!Array.isArray(choices)) return undefined
  let audio: StoredData[] | undefined
  for (const choice of choices) {
    const message = objectAt(choice, 'message')
    if (message?.['audio']) append((audio ??= []), audioIn(message))
  }
  return audio
}

/** Returns the audio of a message or a delta: later requests name it by its id. */
export function audioIn(message: unknown): StoredData[] {
  const audio = objectAt(message, 'audio')
  const id = audio && stringAt(audio, 'id')
  return id ? [{ kind: 'audio', id }] : []
}

/** Why each choice ended. */
function finishReasonsOf(choices: unknown): string[] {
  const reasons: string[] = []
  if (!Array.isArray(choices)) return reasons
  for (const choice of choices) {
    const reason = stringAt(choice, 'finish_reason')
    if (reason) reasons.push(reason)
  }
  return reasons
}

/**
 * Returns the outcome for the finish reasons of the choices. `failedStatus` means that a choice has failed with this
 * HTTP status.
 */
export function outcomeOf(
  id: string | undefined,
  model: string | undefined,
  finishReasons: readonly string[],
  usage: Usage | undefined,
  failedStatus?: number,
): Outcome {
  return {
    ...endOf(finishReasons, failedStatus),
    produced: id === undefined ? undefined : { kind: 'chat.completion', id, model },
    usage,
    finishReasons,
  }
}

function endOf(
  [finishReason]: readonly string[],
  failedStatus: number | undefined,
): Pick<Outcome, 'status' | 'fault' | 'httpStatus'> {
  if (failedStatus !== undefined) {
    return { status: 'failed', fault: faultOfStatus(failedStatus), httpStatus: failedStatus }
  }
  const isCut = finishReason !== undefined && incompleteEnd(finishReason) !== undefined
  return { status: isCut ? 'incomplete' : 'completed', fault: 'none' }
}

const ordinaryReasons: ReadonlySet<string> = new Set([
  'stop',
  'length',
  'tool_calls',
  'function_call',
])

/**
 * Whether the finish reason of a reply or a chunk is not one of the API's. Some providers explain such an end in
 * their own words.
 */
export function explainsEnd(json: unknown): boolean {
  return objectsIn((json as { choices?: unknown } | null | undefined)?.choices).some(
    ({ finish_reason: reason }) =>
      typeof reason === 'string' && reason !== '' && !ordinaryReasons.has(reason),
  )
}

/** Reads the usage of a reply or a chunk; returns `undefined` if usage is absent. `tier`: its `service_tier`. */
export function usageOf(json: unknown, tier: string | undefined): Usage | undefined {
  const usage = usageIn(json)
  return usage && knownUsage(readUsage(usage, tier))
}
