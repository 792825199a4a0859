import { describe, expect, it } from 'vitest'

import { readReply } from './codec.ts'
import { message, weather } from './replies.ts'

const text = { type: 'text', text: 'Hello.', citations: null }

function stopOf(stopReason: unknown, content: unknown = [text], more = {}) {
  const reply = message(content, { stop_reason: stopReason, ...more })
  return readReply(reply).choices[0]!.stop
}

describe('a whole message of an account', () => {
  it('tells thoughts, words and calls in their order', () => {
    const reply = message(
      [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'c2VjcmV0' },
        text,
        weather('toolu_1'),
      ],
      { stop_reason: 'tool_use' },
    )
    expect(readReply(reply)).toEqual({
      id: 'msg_01',
      model: 'claude-sonnet-4-5-20250929',
      choices: [
        {
          content: [
            {
              type: 'reasoning',
              text: 'Hm.',
              form: 'summary',
              signature: { dialect: 'messages', value: 'c2ln' },
            },
            {
              type: 'reasoning',
              text: '',
              form: 'redacted',
              signature: { dialect: 'messages', value: 'c2VjcmV0' },
            },
            { type: 'text', text: 'Hello.' },
            {
              type: 'tool_call',
              id: 'toolu_1',
              name: 'weather',
              kind: 'function',
              arguments: '{"city":"Ulm"}',
            },
          ],
          stop: { reason: 'tool_calls', raw: 'tool_use' },
        },
      ],
      usage: { inputTokens: 10, outputTokens: 5 },
    })
  })

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'refused'],
    ['pause_turn', 'paused'],
    ['model_context_window_exceeded', 'context'],
    ['MAX_TOKENS', 'length'],
    ['length', 'length'],
    ['abort', 'length'],
    ['sensitive', 'filtered'],
    ['content_filter', 'filtered'],
    ['something_new', 'stop'],
  ])('stops by %s', (raw, reason) => {
    expect(stopOf(raw)).toEqual({ reason, raw })
  })

  it('stops for its calls whatever it says, unless it was cut short', () => {
    expect(stopOf('end_turn', [weather('a')]).reason).toBe('tool_calls')
    expect(stopOf(null, [weather('a')]).reason).toBe('tool_calls')
    expect(stopOf('tool_use').reason).toBe('stop')
    expect(stopOf('max_tokens', [weather('a')]).reason).toBe('length')
    expect(stopOf('refusal', [weather('a')]).reason).toBe('refused')
  })

  it('names the stop sequence that it ran into', () => {
    const stop = stopOf('stop_sequence', [text], { stop_sequence: 'END' })
    expect(stop).toEqual({ reason: 'stop', raw: 'stop_sequence', sequence: 'END' })
  })

  it('says why it was refused', () => {
    const reply = message([], {
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: 'cyber', explanation: 'No malware.' },
    })
    expect(readReply(reply).choices[0]).toEqual({
      content: [{ type: 'refusal', text: 'No malware.' }],
      stop: { reason: 'refused', raw: 'refusal' },
    })
  })

  it('counts the whole prompt, with what caches gave and took', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 1000,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
      service_tier: 'standard',
    }
    expect(readReply(message([text], { usage }))).toMatchObject({
      usage: {
        inputTokens: 1110,
        cachedTokens: 100,
        cacheWriteTokens: 1000,
        outputTokens: 50,
        reasoningTokens: 20,
      },
      serviceTier: 'default',
    })
  })

  it('leaves unknown what it does not tell', () => {
    expect(readReply(message([text], { usage: undefined })).usage).toEqual({})
    const nulls = { input_tokens: 3, cache_read_input_tokens: null, output_tokens: 1 }
    expect(readReply(message([text], { usage: nulls })).usage).toEqual({
      inputTokens: 3,
      outputTokens: 1,
    })
  })

  it('cites pages of the web, and nothing that has no address', () => {
    const citations = [
      {
        type: 'web_search_result_location',
        url: 'https://x.org',
        title: 'X',
        encrypted_index: 'e',
      },
      { type: 'char_location', document_index: 0, start_char_index: 0, end_char_index: 2 },
    ]
    expect(readReply(message([{ ...text, citations }])).choices[0]!.content).toEqual([
      { type: 'text', text: 'Hello.', citations: [{ url: 'https://x.org', title: 'X' }] },
    ])
  })

  it('leaves out what tools of the provider did', () => {
    const content = [
      { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
      text,
    ]
    expect(readReply(message(content)).choices[0]!.content).toEqual([
      { type: 'text', text: 'Hello.' },
    ])
  })
})
