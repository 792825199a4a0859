import type { Channel } from './item-readers.ts'
import { TextMap } from '../../../../../src/lib/text-map.ts'

interface Delta {
  /** The channel that the event extends. */
  readonly channel: Channel
  /** The member of the event with the index of the content or summary part. */
  readonly indexField: 'content_index' | 'summary_index'
}

const deltaOf = (channel: Channel, indexField: Delta['indexField'] = 'content_index'): Delta => ({
  channel,
  indexField,
})

/** The delta events, by their type. */
export const deltas: ReadonlyMap<string, Delta> = new TextMap([
  ['response.output_text.delta', deltaOf('text')],
  ['response.function_call_arguments.delta', deltaOf('input')],
  ['response.custom_tool_call_input.delta', deltaOf('input')],
  ['response.reasoning_summary_text.delta', deltaOf('summary', 'summary_index')],
  ['response.reasoning_text.delta', deltaOf('raw')],
  // The name of `response.reasoning_text.delta` in Open Responses.
  ['response.reasoning.delta', deltaOf('raw')],
  ['response.refusal.delta', deltaOf('refusal')],
])
