import { type Stop, type StopReason, cutReasons } from '../../../../src/generate/result.ts'
import type { ErrorEvent } from '../../../../src/generate/events.ts'
import { unusableAnswer } from '../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/**
 * The neutral stop reason for each `stop_reason`, in small letters: Anthropic's (docs/wire/anthropic.md), and those
 * that other servers pass on from their chat API.
 */
const reasons = new Map<string, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['pause_turn', 'paused'],
  ['compaction', 'paused'],
  ['refusal', 'refused'],
  ['model_context_window_exceeded', 'context'],
  ['length', 'length'],
  ['abort', 'length'],
  ['content_filter', 'filtered'],
  ['sensitive', 'filtered'],
])

const names: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  context: 'model_context_window_exceeded',
  filtered: 'refusal',
  refused: 'refusal',
  paused: 'pause_turn',
}

/**
 * Returns the neutral stop of a message. Some upstreams send `end_turn` although the message has calls.
 */
export function readStop(raw: unknown, sequence: unknown, hasCalls: boolean): Stop {
  const reason = reasonOf(raw)
  return {
    reason: isIncomplete(reason) ? reason : completeReason(hasCalls),
    ...(typeof raw === 'string' && { raw }),
    ...(typeof sequence === 'string' && { sequence }),
  }
}

function reasonOf(raw: unknown): StopReason {
  return (typeof raw === 'string' ? reasons.get(raw.toLowerCase()) : undefined) ?? 'stop'
}

/** Whether a message with this `stop_reason` is not complete. */
export function isCut(raw: unknown): boolean {
  return cutReasons.has(reasonOf(raw))
}

function isIncomplete(reason: StopReason): boolean {
  return reason !== 'stop' && reason !== 'tool_calls'
}

function completeReason(hasCalls: boolean): StopReason {
  return hasCalls ? 'tool_calls' : 'stop'
}

/** Reasons of servers that are not Anthropic's for messages that have failed. */
const failures = new Set<unknown>(['error', 'network_error'])

/** The failure that a message ends with: its account's, or its model's where it has no content for an unknown reason. */
export function failedEnd(raw: unknown, hasContent: boolean): ErrorEvent | undefined {
  if (typeof raw !== 'string' || raw === '') return undefined
  const word = raw.toLowerCase()
  if (reasons.has(word)) return undefined
  if (failures.has(word))
    return { type: 'error', message: `The message ended with ${raw}.`, status: 502 }
  return hasContent ? undefined : unusableAnswer(raw)
}

/** The contents of a reply that decide its stop reason. */
interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** The members of a message with its stop reason. */
interface WrittenStop {
  readonly stop_reason: string
  readonly stop_sequence: string | null
  readonly stop_details: { type: 'refusal'; category: null; explanation: null } | null
}

/** Writes a neutral stop for a client. */
export function writeStop(stop: Stop, { hasCalls, hasRefusal }: Contents): WrittenStop {
  const complete = hasRefusal ? 'refused' : completeReason(hasCalls)
  const reason = isIncomplete(stop.reason) ? stop.reason : complete
  const sequence = reason === 'stop' ? stop.sequence : undefined
  const stopReason = sequence === undefined ? names[reason] : 'stop_sequence'
  return {
    stop_reason: stopReason,
    stop_sequence: sequence ?? null,
    stop_details:
      stopReason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
  }
}

/** Reads the explanation of a classifier that stopped a message. */
export function readRefusal(message: unknown): string | undefined {
  if (stringAt(message, 'stop_reason') !== 'refusal') return undefined
  return stringAt(objectAt(message, 'stop_details'), 'explanation') || undefined
}
