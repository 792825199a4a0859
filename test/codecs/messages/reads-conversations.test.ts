import { describe, expect, it } from 'vitest'

import { read } from './codec.ts'

describe('a client of messages with a conversation', () => {
  it('has its system prompt read, be it a text or blocks', () => {
    expect(read({ system: 'Be brief.' }).turns[0]).toEqual({
      role: 'system',
      content: [{ type: 'text', text: 'Be brief.' }],
    })
    const blocks = ['One.', 'Two.'].map((text) => ({ type: 'text', text }))
    expect(read({ system: blocks }).turns[0]).toEqual({ role: 'system', content: blocks })
  })

  it('keeps the text beside the calls of an answer, in its order', () => {
    const { turns } = read({
      messages: [
        { role: 'user', content: 'What is the weather?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Ulm' } },
            { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
          ],
        },
      ],
    })
    expect(turns[1]).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        {
          type: 'tool_call',
          id: 'toolu_1',
          name: 'weather',
          kind: 'function',
          arguments: '{"city":"Ulm"}',
        },
        { type: 'tool_call', id: 'toolu_2', name: 'weather', kind: 'function', arguments: '{}' },
      ],
    })
  })

  it('gives results to tools before what the user says in the same turn', () => {
    const { turns, fields } = read({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'rain' },
            {
              type: 'tool_result',
              tool_use_id: 'toolu_2',
              is_error: true,
              content: [
                { type: 'text', text: 'no' },
                { type: 'text', text: 'city' },
              ],
            },
            { type: 'tool_result', tool_use_id: 'toolu_3' },
            { type: 'text', text: 'And tomorrow?' },
          ],
        },
      ],
    })
    expect(turns).toEqual([
      {
        role: 'tool',
        results: [
          { callId: 'toolu_1', content: [{ type: 'text', text: 'rain' }] },
          {
            callId: 'toolu_2',
            content: [
              { type: 'text', text: 'no' },
              { type: 'text', text: 'city' },
            ],
            failed: true,
          },
          { callId: 'toolu_3', content: [] },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'And tomorrow?' }] },
    ])
    expect(fields).toEqual({
      tool_result_failed: 'messages[0].content[1].is_error',
      tool_result_stray: 'messages[0].content[0]',
    })
  })

  it('may say something to the system midway, and begin the answer', () => {
    const { turns, fields } = read({
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'system', content: 'Now in verse.' },
        { role: 'assistant', content: 'Roses' },
      ],
    })
    expect(turns.map(({ role }) => role)).toEqual(['user', 'system', 'assistant'])
    expect(fields).toEqual({ system_midway: 'messages[1]', assistant_prefill: 'messages[2]' })
  })

  it('has thoughts read with their signatures, and signatures without thoughts', () => {
    const { turns, fields } = read({
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
            { type: 'redacted_thinking', data: 'c2VjcmV0' },
            { type: 'thinking', thinking: '', signature: 'b3RoZXI=' },
            { type: 'text', text: 'Yes.' },
          ],
        },
        { role: 'user', content: 'Sure?' },
      ],
    })
    const signed = (value: string) => ({ dialect: 'messages', value })
    expect(turns[0]).toEqual({
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', form: 'summary', signature: signed('c2ln') },
        { type: 'reasoning', text: '', form: 'redacted', signature: signed('c2VjcmV0') },
        { type: 'reasoning', text: '', form: 'summary', signature: signed('b3RoZXI=') },
        { type: 'text', text: 'Yes.' },
      ],
    })
    expect(fields).toEqual({ reasoning_history: 'messages[0].content[0]' })
  })
})
