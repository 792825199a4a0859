/** A reply of an account of the Messages dialect, and the least request for one. */

export const usage = { input_tokens: 1, output_tokens: 1 }

export const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  usage,
}

export const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }
