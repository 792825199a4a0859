import { expect, test } from 'vitest'

import { safeToolId } from '../../../src/generate/call-ids.ts'
import { encode } from './codec.ts'

const text = (said: string) => ({ type: 'text', text: said }) as const
const user = { role: 'user', content: [text('hi')] } as const

test('system texts at the beginning are the instructions, later ones stay where they are', () => {
  const { instructions, input } = encode({
    turns: [
      { role: 'system', content: [text('One.'), text('Two.')] },
      { role: 'system', content: [text('Three.')] },
      user,
      { role: 'system', content: [text('Stop.')] },
    ],
  })
  expect(instructions).toBe('One.\n\nTwo.\n\nThree.')
  expect(input).toMatchObject([{ role: 'user' }, { role: 'system' }])
})

test('text, calls and results keep their order', () => {
  const call = (id: string) =>
    ({ type: 'tool_call', id, name: 'weather', kind: 'function', arguments: '{"x":1}' }) as const
  const { input } = encode({
    turns: [
      user,
      { role: 'assistant', content: [text('I look.'), call('a'), text('And there.'), call('b')] },
      {
        role: 'tool',
        results: [
          { callId: 'b', content: [text('2')] },
          { callId: 'a', content: [text('1')] },
        ],
      },
    ],
  })
  expect(input).toMatchObject([
    { type: 'message', role: 'user' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
    { type: 'function_call', call_id: 'a', name: 'weather', arguments: '{"x":1}' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'And there.' }] },
    { type: 'function_call', call_id: 'b' },
    { type: 'function_call_output', call_id: 'b', output: '2' },
    { type: 'function_call_output', call_id: 'a', output: '1' },
  ])
})

test('an id that no account takes is the same other one in the call and in its result', () => {
  const id = 'call_weather__thought__'.repeat(20)
  const { input } = encode({
    turns: [
      user,
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id, name: 'f', kind: 'custom', arguments: 'x' }],
      },
      { role: 'tool', results: [{ callId: id, content: [text('1')] }] },
    ],
  })
  const call_id = safeToolId(id)
  expect(input).toMatchObject([
    {},
    { type: 'custom_tool_call', call_id, input: 'x' },
    { type: 'custom_tool_call_output', call_id },
  ])
})

test('a call that nobody answered is answered, since every call needs an output', () => {
  const { input } = encode({
    turns: [
      user,
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'a', name: 'f', kind: 'function', arguments: '' }],
      },
      user,
    ],
  })
  expect(input).toMatchObject([
    {},
    { type: 'function_call', call_id: 'a', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'aborted' },
    {},
  ])
})

test('nothing is kept at the account unless its client wants that', () => {
  expect(encode({}).store).toBe(false)
  expect(encode({ store: true }).store).toBe(true)
  expect(encode({}).include).toEqual(['reasoning.encrypted_content'])
  expect(encode({}, 'gpt-4o')).not.toHaveProperty('include')
})

test.each([
  [{ effort: 'medium' }, { effort: 'medium' }],
  [{ budget: 20_000 }, { effort: 'high' }],
  [{ budget: 5000 }, { effort: 'medium' }],
  [{ budget: 2048 }, { effort: 'low' }],
  [{ budget: 1024 }, { effort: 'low' }],
  [{ show: true }, { summary: 'auto' }],
  [
    { effort: 'low', summary: 'detailed', show: true },
    { effort: 'low', summary: 'detailed' },
  ],
  [{ show: false }, undefined],
] as const)('reasoning %j is asked for as %j', (reasoning, asked) => {
  expect(encode({ reasoning }).reasoning).toEqual(asked)
})

test('tools are strict only where their client says so', () => {
  const parameters = { type: 'object' }
  const { tools } = encode({
    tools: [
      { kind: 'function', name: 'a', parameters },
      { kind: 'function', name: 'b', parameters, strict: true },
    ],
  })
  expect(tools).toMatchObject([{ strict: false }, { strict: true }])
})

test.each([
  [1, 16],
  [15, 16],
  [16, 16],
  [17, 17],
])('an answer of at most %i tokens is asked for as one of at most %i', (limit, asked) => {
  expect(encode({ maxOutputTokens: limit }).max_output_tokens).toBe(asked)
})
