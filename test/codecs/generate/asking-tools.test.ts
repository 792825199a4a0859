import { expect, test } from 'vitest'

import type { ToolCallPart, ToolResult } from '../../../src/generate/content.ts'
import type { Turn } from '../../../src/generate/request.ts'
import { contentsOf, hello } from './codec.ts'

function call(id: string, name = 'weather', text = '{"city":"Oslo"}'): ToolCallPart {
  return { type: 'tool_call', id, name, kind: 'function', arguments: text }
}

function result(callId: string, text: string, more: Partial<ToolResult> = {}): ToolResult {
  return { callId, content: [{ type: 'text', text }], ...more }
}

/** The responses that an account gets to one call of these results. */
function responses(results: readonly ToolResult[], model?: string) {
  const turns: Turn[] = [
    hello,
    { role: 'assistant', content: [call('c1')] },
    { role: 'tool', results },
  ]
  return (contentsOf(turns, model) as { parts: object[] }[])[2]?.parts
}

test('results stand right after their calls, in the order of the calls, whatever came between', () => {
  const sent = contentsOf([
    hello,
    { role: 'assistant', content: [call('c1'), { type: 'text', text: 'One moment.' }, call('c2')] },
    { role: 'user', content: [{ type: 'text', text: 'Hurry!' }] },
    { role: 'tool', results: [result('c2', 'sun')] },
    { role: 'tool', results: [result('c1', 'rain')] },
  ])
  expect(sent).toMatchObject([
    {},
    {
      parts: [
        { functionCall: { id: 'c1', name: 'weather', args: { city: 'Oslo' } } },
        { text: 'One moment.' },
        { functionCall: { id: 'c2' } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'c1', name: 'weather', response: { output: 'rain' } } },
        { functionResponse: { id: 'c2', name: 'weather', response: { output: 'sun' } } },
        { text: 'Hurry!' },
      ],
    },
  ])
})

test.each([
  [result('c1', 'rain'), { output: 'rain' }],
  [result('c1', '{"rain":3}'), { rain: 3 }],
  [result('c1', '[1,2]'), { output: '[1,2]' }],
  [result('c1', '{broken'), { output: '{broken' }],
  [result('c1', 'no such city', { failed: true }), { error: 'no such city' }],
  [result('c1', '{"rain":3}', { failed: true }), { error: '{"rain":3}' }],
  [{ callId: 'c1', content: [] }, { output: '' }],
])('a response is always an object: %j', (told, response) => {
  expect(responses([told])).toMatchObject([{ functionResponse: { response } }])
})

test('a call without a result is answered, and a result without a call is told', () => {
  expect(responses([result('c9', 'late')])).toEqual([
    { functionResponse: { id: 'c1', name: 'weather', response: { output: 'No result.' } } },
    { text: 'The result of a tool call c9:\nlate' },
  ])
})

test('a picture in a result goes inside of it, or behind it for older models', () => {
  const picture = {
    type: 'image',
    mediaType: 'image/png',
    source: { kind: 'data', base64: 'iVBORw==' },
  } as const
  const inlineData = { mimeType: 'image/png', data: 'iVBORw==' }
  const told = [{ callId: 'c1', content: [{ type: 'text', text: 'seen' } as const, picture] }]
  expect(responses(told)).toMatchObject([
    { functionResponse: { response: { output: 'seen' }, parts: [{ inlineData }] } },
  ])
  expect(responses(told, 'gemini-2.5-pro')).toEqual([
    { functionResponse: { id: 'c1', name: 'weather', response: { output: 'seen' } } },
    { text: 'From the result of the call of weather (c1):' },
    { inlineData },
  ])
})

test('an id that is too long for some accounts is shortened for the call and its result alike', () => {
  const long = 'x'.repeat(200)
  const sent = contentsOf([
    hello,
    { role: 'assistant', content: [call(long), call(long)] },
    { role: 'tool', results: [result(long, 'rain'), result(long, 'sun')] },
  ]) as { parts: { functionCall?: { id: string }; functionResponse?: { id: string } }[] }[]
  const ids = sent[1]!.parts.map((part) => part.functionCall?.id)
  expect(new Set(ids).size).toBe(2)
  expect(ids[0]?.length).toBeLessThanOrEqual(40)
  expect(sent[2]!.parts.map((part) => part.functionResponse?.id)).toEqual(ids)
})
