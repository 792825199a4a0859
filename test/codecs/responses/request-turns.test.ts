import { expect, test } from 'vitest'

import { decode } from './codec.ts'

const turnsOf = (input: unknown, more: object = {}) => decode({ input, ...more }).turns

test('a client that sends a string asks as a user', () => {
  expect(turnsOf('hello')).toEqual([{ role: 'user', content: [{ type: 'text', text: 'hello' }] }])
})

test("a client's instructions come first, then its string prompt", () => {
  expect(turnsOf('hi', { instructions: 'Be brief.', prompt: 'Be kind.' })[0]).toEqual({
    role: 'system',
    content: [{ type: 'text', text: 'Be brief.\n\nBe kind.' }],
  })
})

test('messages of all roles are turns, typed or not', () => {
  const turns = turnsOf([
    { role: 'developer', content: 'Be brief.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      status: 'completed',
      content: [
        { type: 'output_text', text: 'Hello', annotations: [], logprobs: [], parsed: null },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
    { role: 'system', content: 'Be kind.' },
  ])
  expect(turns).toEqual([
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'refusal', text: 'No more.' },
      ],
    },
    { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
  ])
})

test('a tool loop: calls of one answer are one turn, and so are their results', () => {
  const turns = turnsOf([
    { role: 'user', content: 'weather?' },
    { role: 'assistant', content: 'I look.' },
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'a',
      name: 'weather',
      arguments: '{"x":1}',
      parsed_arguments: { x: 1 },
    },
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'shout', input: 'loud' },
    { type: 'function_call_output', call_id: 'a', output: 'sunny' },
    {
      type: 'custom_tool_call_output',
      call_id: 'b',
      output: [{ type: 'input_text', text: 'LOUD' }],
    },
  ])
  expect(turns.slice(1)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_call', id: 'a', name: 'weather', kind: 'function', arguments: '{"x":1}' },
        { type: 'tool_call', id: 'b', name: 'shout', kind: 'custom', arguments: 'loud' },
      ],
    },
    {
      role: 'tool',
      results: [
        { callId: 'a', content: [{ type: 'text', text: 'sunny' }] },
        { callId: 'b', content: [{ type: 'text', text: 'LOUD' }] },
      ],
    },
  ])
})

test.each([
  ['a message of nobody', [{ content: 'hi' }], 'input[0].role'],
  ['an unknown role', [{ role: 'robot', content: 'hi' }], 'input[0].role'],
  ['a message without content', [{ role: 'user' }], 'input[0].content'],
  ['a part without a type', [{ role: 'user', content: [{ text: 'hi' }] }], 'input[0].content[0]'],
  [
    'a text without text',
    [{ role: 'user', content: [{ type: 'input_text' }] }],
    'input[0].content[0].text',
  ],
  [
    'a call without a name',
    [{ type: 'function_call', call_id: 'a', arguments: '{}' }],
    'input[0].name',
  ],
  [
    'a call without an id',
    [{ type: 'function_call', name: 'f', arguments: '{}' }],
    'input[0].call_id',
  ],
  [
    'a result without an id',
    [{ type: 'function_call_output', call_id: '', output: '' }],
    'input[0].call_id',
  ],
  [
    'arguments that are no text',
    [{ type: 'function_call', call_id: 'a', name: 'f', arguments: {} }],
    'input[0].arguments',
  ],
  ['an item that is no object', ['hi'], 'input[0]'],
])('%s is refused with the place of it', (_, input, param) => {
  expect(() => decode({ input })).toThrow(expect.objectContaining({ code: 'invalid_value', param }))
})
