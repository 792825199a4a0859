import { describe, expect, test } from 'vitest'

import { decoded } from './asking.ts'

const user = { role: 'user', content: 'Hello' }

describe('a client that sends a conversation', () => {
  test('has its instructions where they stand, whatever they are called', () => {
    const { turns, fields } = decoded({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
        user,
        { role: 'system', content: 'Now be quick.' },
      ],
    })

    expect(turns).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      { role: 'system', content: [{ type: 'text', text: 'Now be quick.' }] },
    ])
    expect(fields).toEqual({ system_midway: 'messages[3]' })
  })

  test('is understood with text, pictures, sound and files in one message', () => {
    const { turns, fields } = decoded({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
            { type: 'image_url', image_url: { url: 'https://x.test/a.jpg', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'JVBE' } },
          ],
        },
      ],
    })

    expect(turns[0]?.role === 'user' && turns[0].content).toEqual([
      { type: 'text', text: 'What is this?' },
      {
        type: 'image',
        source: { kind: 'data', base64: 'iVBO' },
        mediaType: 'image/png',
        field: 'messages[0].content[1].image_url',
      },
      {
        type: 'image',
        source: { kind: 'url', url: 'https://x.test/a.jpg' },
        detail: 'low',
        discarded: {
          above: 8 * 1024 * 1024,
          field: 'messages[0].content[2]',
          reason: 'image above 8 MB',
        },
        field: 'messages[0].content[2].image_url',
      },
      {
        type: 'audio',
        source: { kind: 'data', base64: 'UklG' },
        mediaType: 'audio/mpeg',
        field: 'messages[0].content[3].input_audio',
      },
      {
        type: 'file',
        source: { kind: 'data', base64: 'JVBE' },
        mediaType: 'application/pdf',
        name: 'a.pdf',
        field: 'messages[0].content[4].file.file_data',
      },
    ])
    expect(fields).toEqual({
      image_input: 'messages[0].content[1].image_url',
      image_url: 'messages[0].content[2].image_url',
      image_detail: 'messages[0].content[2].image_url.detail',
      audio_input: 'messages[0].content[3].input_audio',
      file_input: 'messages[0].content[4].file',
    })
  })

  test('keeps the text, the calls and the reasoning of an earlier answer', () => {
    const { turns, fields } = decoded({
      messages: [
        user,
        {
          role: 'assistant',
          content: 'Let me look.',
          reasoning_content: 'They greet.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
            { id: 'call_2', type: 'custom', custom: { name: 'run', input: 'ls' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_2', content: 'a.txt' },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'seen' }] },
      ],
    })

    expect(turns.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', form: 'raw', text: 'They greet.' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_call', id: 'call_1', name: 'look', kind: 'function', arguments: '{"a":1}' },
          { type: 'tool_call', id: 'call_2', name: 'run', kind: 'custom', arguments: 'ls' },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'call_2', content: [{ type: 'text', text: 'a.txt' }] },
          { callId: 'call_1', content: [{ type: 'text', text: 'seen' }] },
        ],
      },
    ])
    expect(fields).toEqual({
      reasoning_history: 'messages[1].reasoning_content',
      custom_tools: 'messages[1].tool_calls[1]',
    })
  })

  test('may send back what its SDK made of an answer, and a refusal', () => {
    const { turns, extras } = decoded({
      messages: [
        user,
        {
          role: 'assistant',
          content: '{"a":1}',
          parsed: { a: 1 },
          refusal: null,
          annotations: [],
          audio: null,
          function_call: null,
          tool_calls: null,
        },
        user,
        { role: 'assistant', content: null, refusal: 'No.' },
        user,
      ],
    })

    expect(turns.filter(({ role }) => role === 'assistant')).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: '{"a":1}' }] },
      { role: 'assistant', content: [{ type: 'refusal', text: 'No.' }] },
    ])
    expect(extras).toEqual([])
  })

  test('that begins the answer itself is told apart', () => {
    const begun = { role: 'assistant', content: 'Once upon' }

    expect(decoded({ messages: [user, begun] }).fields).toEqual({ assistant_prefill: 'messages' })
    expect(decoded({ messages: [user, begun, user] }).fields).toEqual({})
  })
})
