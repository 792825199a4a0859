import type { TextDelta } from '../../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../../src/lib/json/object.ts'
import type { Channel } from './item-readers.ts'

interface Delta {
  /** What its event is more of. */
  readonly channel: Channel
  /** Where the event has the number of the piece. */
  readonly place: 'content_index' | 'summary_index'
}

const of = (channel: Channel, place: Delta['place'] = 'content_index'): Delta => ({
  channel,
  place,
})

/** The events that are more of something, by their type. */
export const deltas: ReadonlyMap<string, Delta> = new Map([
  ['response.output_text.delta', of('text')],
  ['response.function_call_arguments.delta', of('input')],
  ['response.custom_tool_call_input.delta', of('input')],
  ['response.reasoning_summary_text.delta', of('summary', 'summary_index')],
  ['response.reasoning_text.delta', of('raw')],
  // The name that Open Responses has for it.
  ['response.reasoning.delta', of('raw')],
  ['response.refusal.delta', of('refusal')],
])

/** The text of an event that is more of something. */
export function responsesTextDelta({ type, delta, logprobs }: JsonObject): TextDelta | undefined {
  const isAlone = !Array.isArray(logprobs) || logprobs.length === 0
  return deltas.has(String(type)) && isAlone && typeof delta === 'string' && delta !== ''
    ? { key: 'delta', text: delta }
    : undefined
}

/** Its place in the stream, and padding against those who guess by length. */
export const volatileMembers = ['sequence_number', 'obfuscation']
