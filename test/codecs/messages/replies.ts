import type { JsonObject } from '../../../src/lib/json/object.ts'

/** Replies as accounts send them. */

/** A message with these blocks. */
export function message(content: unknown, more: JsonObject = {}): JsonObject {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5-20250929',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
    ...more,
  }
}

export const start = (usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): JsonObject => ({
  type: 'message_start',
  message: message([], { stop_reason: null, usage }),
})

export const open = (index: number, block: JsonObject): JsonObject => ({
  type: 'content_block_start',
  index,
  content_block: block,
})

export const add = (index: number, delta: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta,
})

export const addText = (index: number, text: string) => add(index, { type: 'text_delta', text })

export const addThinking = (index: number, thinking: string) =>
  add(index, { type: 'thinking_delta', thinking })

export const addInput = (index: number, json: string) =>
  add(index, { type: 'input_json_delta', partial_json: json })

export const close = (index: number): JsonObject => ({ type: 'content_block_stop', index })

export const ending = (reason: string | null, usage: JsonObject = { output_tokens: 5 }) => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]

export const emptyText = { type: 'text', text: '' }

export const emptyThinking = { type: 'thinking', thinking: '', signature: '' }

export const emptyCall = (id: string, name = 'weather') => ({
  type: 'tool_use',
  id,
  name,
  input: {},
})

export const weather = (id: string) => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input: { city: 'Ulm' },
})
