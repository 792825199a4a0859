import {
  errorIn,
  errorUnless,
  hasAnyWithoutError,
  isEmpty,
  isFilledList,
  statusOfError,
} from '../../../../../src/kit/upstream-error.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { ErrorEvent } from '../../../../../src/generate/events.ts'
import { failureOf } from '../../../../../src/kit/codec/failure.ts'
import type { StopReason } from '../../../../../src/generate/result.ts'
import { numberAt, objectAt, stringAt } from '../../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

const ownMembers = ['choices']

/** Whether a body is a completion or a chunk of one. Some chunks have usage, or nothing, beside an empty list. */
export function isChatBody(body: JsonObject): boolean {
  const { choices, usage } = body
  if (isFilledList(choices) || (Array.isArray(choices) && !isEmpty(usage))) return true
  return hasAnyWithoutError(body, ownMembers)
}

/** Returns the error that a body, or an event called `name`, carries in place of a reply. */
export function failureIn(body: JsonObject, name = ''): ErrorEvent | undefined {
  const error = chatErrorIn(body, name)
  return error && failure(error)
}

/** The error object of a reply, or of a chunk called `name`. */
export function chatErrorIn(body: unknown, name = ''): JsonObject | undefined {
  return ownErrorIn(body) ?? errorUnless(isChatBody, body, name)
}

/** The error in `base_resp`, which MiniMax has in each reply, also beside an empty list of choices. */
function ownErrorIn(body: unknown): JsonObject | undefined {
  const state = objectAt(body, 'base_resp')
  const code = numberAt(state, 'status_code')
  if (!code) return undefined
  const message = stringAt(state, 'status_msg')
  return { message: message || `error ${code}`, code: statusesOfMiniMax.get(code) ?? 502 }
}

/** HTTP statuses of MiniMax's codes (platform.minimax.io/docs/api-reference/errorcode). */
const statusesOfMiniMax: ReadonlyMap<number, number> = new Map([
  [1001, 504],
  [1002, 429],
  [1004, 401],
  [1008, 402],
  [2013, 400],
])

/**
 * How answers end by their `finish_reason`, in small letters: complete, cut short or blocked, or failed with an HTTP
 * status. Sources: the API references of OpenAI, Mistral, Z.ai, DeepSeek, OpenRouter and Cohere; the source of vLLM
 * and SGLang, whose engines end answers with `abort`; and the Gemini API, whose words other servers pass on.
 */
const ends = new TextMap<StopReason | number>([
  ['stop', 'stop'],
  ['completed', 'stop'],
  ['complete', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'stop'],
  ['tool_call', 'stop'],
  ['function_call', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['abort', 'length'],
  ['model_length', 'context'],
  ['model_context_window_exceeded', 'context'],
  ['content_filter', 'filtered'],
  ['sensitive', 'filtered'],
  ['safety', 'filtered'],
  ['recitation', 'filtered'],
  ['blocklist', 'filtered'],
  ['prohibited_content', 'filtered'],
  ['spii', 'filtered'],
  ['model_armor', 'filtered'],
  ['error', 502],
  ['network_error', 502],
  ['insufficient_system_resource', 503],
  ['timeout', 504],
])

/** Looks a reason up. The Gemini API writes its own reason behind one of OpenAI's form: `content_filter: OTHER`. */
function endOf(raw: string): StopReason | number | undefined {
  const word = raw.toLowerCase()
  return ends.get(word) ?? ends.get(word.split(':', 1)[0]!)
}

/** The HTTP status of the failure that a `finish_reason` means; `undefined` for another reason. */
function failureStatusOf(raw: unknown): number | undefined {
  const end = typeof raw === 'string' ? endOf(raw) : undefined
  return typeof end === 'number' ? end : undefined
}

/** Whether a `finish_reason` is known: an answer without content may end with it. */
export function isKnownEnd(raw: string): boolean {
  return endOf(raw) !== undefined
}

/** The stop reason of a `finish_reason` that means that the answer is cut short or blocked. */
export function incompleteEnd(raw: string): StopReason | undefined {
  const end = endOf(raw)
  return typeof end === 'number' || end === 'stop' ? undefined : end
}

/** Returns the failure of one choice, which some providers report as a finish reason. */
export function failureOfChoice(choice: JsonObject): ErrorEvent | undefined {
  const status = statusOfChoice(choice)
  return status === undefined ? undefined : failureOf(errorIn(choice), status)
}

/** The HTTP status that the failure of one choice stands for; `undefined` for a choice that has not failed. */
export function statusOfChoice(choice: JsonObject): number | undefined {
  const status = failureStatusOf(choice.finish_reason)
  if (status === undefined) return undefined
  const error = errorIn(choice)
  return error ? statusOfError(error) : status
}

function failure(error: JsonObject): ErrorEvent {
  return failureOf(error, statusOfError(error))
}
