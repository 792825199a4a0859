import { collected } from './codec.ts'

/** How a stream begins. */
export const created = {
  type: 'response.created',
  response: { id: 'resp_1', model: 'gpt-5', status: 'in_progress', output: [] },
}
/** How it ends, with no output told again. */
export const completed = {
  type: 'response.completed',
  response: { id: 'resp_1', status: 'completed', output: [] },
}
export const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [] }
export const call = { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '' }
/** An item begins. */
export const added = (item: object, output_index = 0) => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
/** An item as a whole. */
export const done = (item: object, output_index = 0) => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
/** More of a text. */
export const say = (delta: string, output_index = 0) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index,
  content_index: 0,
  delta,
})
/** More of a call's arguments. */
export const argue = (delta: string, output_index = 0) => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'fc_1',
  output_index,
  delta,
})

/** What the answer of a stream is made of. */
export const contentOf = (...events: object[]) =>
  collected(events.map((event) => ({ ...event })))?.choices[0]?.content
/** A message's whole item, and what it means. */
export const helloItem = { ...message, content: [{ type: 'output_text', text: 'Hello' }] }
export const hello = [{ type: 'text', text: 'Hello' }]
