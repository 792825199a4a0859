import type { ErrorEvent } from '../../../../src/generate/events.ts'
import type { GenerateRequest } from '../../../../src/generate/request.ts'
import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { unusableAnswer } from '../../../../src/kit/codec/failure.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** The neutral stop reason for each `stopReason` of an answer. */
const reasons = new Map<string, StopReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context'],
  ['content_filtered', 'filtered'],
  // The answer is a text of the guardrail.
  ['guardrail_intervened', 'filtered'],
])

/** Reasons of answers that cannot be used, whatever they contain. */
const failures = new Set(['malformed_model_output', 'malformed_tool_use'])

/** The neutral stop of an answer. `end` has its reason, and the fields of the model that the request asks for. */
export function readStop(end: unknown, { stop = [] }: GenerateRequest, hasCalls: boolean): Stop {
  const raw = stringAt(end, 'stopReason')
  const reason = reasons.get(raw ?? '') ?? 'stop'
  const complete = hasCalls ? 'tool_calls' : 'stop'
  const own = stringAt(objectAt(end, 'additionalModelResponseFields'), 'stop_sequence')
  // Few models name the sequence.
  const only = raw === 'stop_sequence' && stop.length === 1 ? stop[0] : undefined
  const sequence = own ?? only
  return {
    reason: reason === 'stop' || reason === 'tool_calls' ? complete : reason,
    ...(raw !== undefined && { raw }),
    ...(sequence !== undefined && { sequence }),
  }
}

/** The failure of an answer that ends for a reason: of any that is malformed, and of an empty one for an unknown reason. */
export function failedEnd(end: unknown, hasContent: boolean): ErrorEvent | undefined {
  const raw = stringAt(end, 'stopReason') ?? ''
  if (failures.has(raw)) return unusableAnswer(raw)
  return raw === '' || reasons.has(raw) || hasContent ? undefined : unusableAnswer(raw)
}
