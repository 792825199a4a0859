import type { Turn } from '../../../src/generate/request.ts'

/** Turns of a conversation, and how an account is told of them. */

export const say = (text: string): Turn => ({ role: 'user', content: [{ type: 'text', text }] })
export const reply = (text: string): Turn => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
})
export const call = (id: string, name = 'weather'): Turn => ({
  role: 'assistant',
  content: [{ type: 'tool_call', id, name, kind: 'function', arguments: '{"city":"Ulm"}' }],
})
export const result = (callId: string, text = 'rain'): Turn => ({
  role: 'tool',
  results: [{ callId, content: [{ type: 'text', text }] }],
})
export const text = (said: string) => ({ type: 'text', text: said })
export const use = (id: string) => ({
  type: 'tool_use',
  id,
  name: 'weather',
  input: { city: 'Ulm' },
})
export const answered = (id: string, content = 'rain') => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
})
