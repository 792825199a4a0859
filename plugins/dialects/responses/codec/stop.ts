import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** Facts about a reply's content that determine its stop reason. */
interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

/** How a response is cut off by its `incomplete_details.reason` (docs/wire/openai.md 1.6). */
const cutReasons = new Map<string, StopReason>([
  ['max_output_tokens', 'length'],
  ['content_filter', 'filtered'],
])

/** Returns the stop reason of an account's response. */
export function readStop(response: JsonObject, { hasCalls, hasRefusal }: Contents): Stop {
  const status = stringAt(response, 'status') ?? 'completed'
  const incompleteReason = stringAt(objectAt(response, 'incomplete_details'), 'reason')
  const raw = (status === 'incomplete' ? incompleteReason : undefined) ?? status
  const cut = status === 'incomplete' ? cutReasons.get(raw) : undefined
  if (cut) return { reason: cut, raw }
  if (hasRefusal) return { reason: 'refused', raw }
  // A response with an unknown reason, or without one, is not complete either.
  if (status === 'incomplete') return { reason: 'length', raw }
  return { reason: hasCalls ? 'tool_calls' : 'stop', raw }
}

/** The terminal status of a response, with the reason if it is incomplete. */
export interface Ending {
  readonly status: 'completed' | 'incomplete'
  readonly reason?: 'max_output_tokens' | 'content_filter'
}

const completed: Ending = { status: 'completed' }
const truncated: Ending = { status: 'incomplete', reason: 'max_output_tokens' }
const filtered: Ending = { status: 'incomplete', reason: 'content_filter' }

const endings: Readonly<Record<StopReason, Ending>> = {
  stop: completed,
  tool_calls: completed,
  length: truncated,
  context: truncated,
  filtered,
  refused: filtered,
  paused: completed,
}

/**
 * Returns the ending for a stop reason. A refusal with text is complete, one without text is
 * filtered.
 */
export function endingOf({ reason }: Stop, hasRefusal: boolean): Ending {
  return reason === 'refused' && hasRefusal ? completed : endings[reason]
}
