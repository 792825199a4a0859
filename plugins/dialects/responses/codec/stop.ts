import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Stop, StopReason } from '../../../../src/generate/result.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'

/** What a reply has, as far as it matters for why it stopped. */
export interface Contents {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
}

const cutReasons = new Map<string, StopReason>([
  ['max_output_tokens', 'length'],
  ['content_filter', 'filtered'],
])

/** Why an account's response stopped. */
export function readStop(response: JsonObject, { hasCalls, hasRefusal }: Contents): Stop {
  const status = stringAt(response, 'status') ?? 'completed'
  const told = stringAt(objectAt(response, 'incomplete_details'), 'reason')
  const raw = (status === 'incomplete' ? told : undefined) ?? status
  const cut = status === 'incomplete' ? cutReasons.get(raw) : undefined
  if (cut) return { reason: cut, raw }
  if (hasRefusal) return { reason: 'refused', raw }
  return { reason: hasCalls ? 'tool_calls' : 'stop', raw }
}

/** How a response ends for a client. */
export interface Ending {
  readonly status: 'completed' | 'incomplete'
  readonly reason?: 'max_output_tokens' | 'content_filter'
}

const completed: Ending = { status: 'completed' }
const tooLong: Ending = { status: 'incomplete', reason: 'max_output_tokens' }
const filtered: Ending = { status: 'incomplete', reason: 'content_filter' }

const endings: Readonly<Record<StopReason, Ending>> = {
  stop: completed,
  tool_calls: completed,
  length: tooLong,
  context: tooLong,
  filtered,
  refused: filtered,
  paused: completed,
}

/** A refusal in words is a complete answer; one without is an answer that was held back. */
export function endingOf({ reason }: Stop, hasRefusal: boolean): Ending {
  return reason === 'refused' && hasRefusal ? completed : endings[reason]
}
