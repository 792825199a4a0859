import { expect, test } from 'vitest'

import {
  inputItemsOf,
  replayItemsOf,
} from '../../../plugins/dialects/responses/codec/transcript.ts'
import { decode, encodedResult } from './codec.ts'
import { hello, reply, thought, weather } from './replies.ts'

const newId = (prefix: string) => `${prefix}new`

test('a string is listed as the message that it is', () => {
  expect(inputItemsOf('hi', newId)).toEqual([
    {
      id: 'msg_new',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'hi' }],
    },
  ])
})

test('items are listed with type and id, their parts in the words of the provider', () => {
  const items = inputItemsOf(
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image_url', image_url: { url: 'https://a.example/a.png', detail: 'low' } },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello', parsed: {} }] },
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'a',
        name: 'f',
        arguments: '{}',
        parsed_arguments: {},
      },
      { type: 'function_call_output', call_id: 'a', output: '1' },
    ],
    newId,
  )
  expect(items).toEqual([
    {
      id: 'msg_new',
      type: 'message',
      status: 'completed',
      role: 'user',
      content: [
        { type: 'input_text', text: 'hi' },
        { type: 'input_image', image_url: 'https://a.example/a.png', detail: 'low' },
      ],
    },
    {
      id: 'msg_new',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello' }],
    },
    { id: 'fc_1', type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
    { id: 'fc_new', type: 'function_call_output', call_id: 'a', output: '1' },
  ])
})

test('a request without input has no items', () => {
  expect(inputItemsOf(undefined, newId)).toEqual([])
})

test('what was said before, put in front of the next input, means what it meant', () => {
  const { body } = encodedResult(reply([thought, hello, weather], { reason: 'tool_calls' }))
  const result = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }
  const input = [...inputItemsOf('weather?', newId), ...replayItemsOf(body.output), result]
  expect(decode({ input }).turns).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'weather?' }] },
    { role: 'assistant', content: [thought, hello, weather] },
    { role: 'tool', results: [{ callId: 'call_1', content: [{ type: 'text', text: 'sunny' }] }] },
  ])
})
