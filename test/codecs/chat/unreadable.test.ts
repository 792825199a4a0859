import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { decoded } from './asking.ts'

const call = (changes: JsonObject) => ({
  messages: [
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', ...changes }] },
    { role: 'user', content: 'Hello' },
  ],
})

const user = (content: unknown) => ({ messages: [{ role: 'user', content }] })

describe('a client whose request cannot be read', () => {
  test.each<[string, JsonObject]>([
    ['messages[0]', { messages: ['Hello'] }],
    ['messages[0].role', { messages: [{ content: 'Hello' }] }],
    ['messages[0].role', { messages: [{ role: 'narrator', content: 'Hello' }] }],
    ['messages[0].content', user(null)],
    ['messages[0].content[0].type', user([{ text: 'Hello' }])],
    ['messages[0].content[0].type', user([{ type: 'video_url' }])],
    ['messages[0].content[0].text', user([{ type: 'text', text: 1 }])],
    ['messages[0].content[0].image_url', user([{ type: 'image_url' }])],
    ['messages[0].content[0].image_url.url', user([{ type: 'image_url', image_url: {} }])],
    [
      'messages[0].content[0].input_audio.format',
      user([{ type: 'input_audio', input_audio: { data: 'a', format: 'ogg' } }]),
    ],
    ['messages[0].content[0].file.file_data', user([{ type: 'file', file: {} }])],
    ['messages[0].tool_calls[0].id', call({ id: null, function: { name: 'f', arguments: '' } })],
    ['messages[0].tool_calls[0].function', call({})],
    ['messages[0].tool_calls[0].function.name', call({ function: { arguments: '{}' } })],
    [
      'messages[0].tool_calls[0].function.arguments',
      call({ function: { name: 'f', arguments: {} } }),
    ],
    ['messages[0].tool_calls[0].type', call({ type: 'computer' })],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'a' }] }],
    ['messages[0].tool_call_id', { messages: [{ role: 'tool', tool_call_id: '', content: 'a' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tool_choice', { tool_choice: 'any' }],
    ['tool_choice.function.name', { tool_choice: { type: 'function', function: {} } }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['reasoning_effort', { reasoning_effort: 'enormous' }],
    ['verbosity', { verbosity: 'huge' }],
    ['stop', { stop: [1] }],
    ['max_completion_tokens', { max_completion_tokens: 0 }],
    ['max_tokens', { max_tokens: 0 }],
    ['metadata', { metadata: { a: 1 } }],
  ])('is told that %s is at fault', (param, body) => {
    expect(() => decoded(body)).toThrow(
      expect.objectContaining({ code: 'invalid_value', status: 400, param }),
    )
    expect(() => decoded(body)).toThrow(GatewayError)
  })
})
