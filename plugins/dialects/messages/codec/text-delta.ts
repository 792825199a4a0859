import type { TextDelta } from '../../../../src/contract/codec.ts'
import type { JsonObject } from '../../../../src/lib/json/object.ts'
import { objectAt, stringAt } from '../../../../src/lib/json/read.ts'
import { TextMap } from '../../../../src/lib/text-map.ts'

const keys = new TextMap<string, unknown>([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['input_json_delta', 'partial_json'],
])

/** Returns the text of a `content_block_delta` event. */
export function messagesTextDelta(event: JsonObject): TextDelta | undefined {
  if (event.type !== 'content_block_delta') return undefined
  const delta = objectAt(event, 'delta')
  const key = keys.get(delta?.type)
  const text = key === undefined ? undefined : stringAt(delta, key)
  return text ? { key: key!, text } : undefined
}
