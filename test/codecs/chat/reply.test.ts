import { describe, expect, test } from 'vitest'

import { completion, read } from './reading.ts'

describe('a completion of an account', () => {
  test('is read with its text, its model and its usage', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 6,
      total_tokens: 16,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }

    expect(read(completion({ content: 'Hi', refusal: null }, {}, { usage }))).toEqual({
      id: 'chatcmpl-1',
      model: 'gpt',
      choices: [{ content: [{ type: 'text', text: 'Hi' }], stop: { reason: 'stop', raw: 'stop' } }],
      usage: {
        inputTokens: 10,
        outputTokens: 6,
        cachedTokens: 4,
        cacheWriteTokens: 2,
        reasoningTokens: 3,
      },
    })
  })

  test.each([
    [undefined, {}],
    [null, {}],
    [{}, {}],
    [{ prompt_tokens: 1 }, { inputTokens: 1 }],
    [
      { prompt_tokens: 3, prompt_cache_hit_tokens: 2 },
      { inputTokens: 3, cachedTokens: 2 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 2, total_tokens: 17 },
      { inputTokens: 10, outputTokens: 7 },
    ],
  ])('with the usage %j tells what is known, and no zero for what is not', (usage, expected) => {
    expect(read(completion({ content: 'Hi' }, {}, { usage })).usage).toEqual(expected)
  })

  test.each([
    ['stop', {}, 'stop'],
    ['length', {}, 'length'],
    ['content_filter', {}, 'filtered'],
    ['content_filter', { refusal: 'No.' }, 'refused'],
    ['stop', { refusal: 'No.' }, 'refused'],
    ['eos', {}, 'stop'],
    ['tool_calls', { tool_calls: [look()] }, 'tool_calls'],
    ['stop', { tool_calls: [look()] }, 'tool_calls'],
    ['length', { tool_calls: [look()] }, 'length'],
    ['function_call', { function_call: { name: 'look', arguments: '{}' } }, 'tool_calls'],
  ])('that ended with %s and %j stopped for %s', (finish_reason, message, reason) => {
    const { choices } = read(completion({ content: 'Hi', ...message }, { finish_reason }))

    expect(choices[0]?.stop).toEqual({ reason, raw: finish_reason })
  })

  test('that does not say why it ended is complete', () => {
    const stops = [{}, { tool_calls: [look()] }].map(
      (message) => read(completion(message, { finish_reason: null })).choices[0]?.stop,
    )

    expect(stops).toEqual([{ reason: 'stop' }, { reason: 'tool_calls' }])
  })

  test('has its reasoning before its text and its calls, text kept beside calls', () => {
    const message = { content: 'Hm.', reasoning_content: 'Think.', tool_calls: [look()] }
    const { content } = read(completion(message)).choices[0]!

    expect(content).toMatchObject([
      { type: 'reasoning', form: 'raw', text: 'Think.' },
      { type: 'text', text: 'Hm.' },
      { type: 'tool_call', id: 'call_1', name: 'look', kind: 'function', arguments: '{"a":1}' },
    ])
  })

  test('has citations and the likelihood of its tokens', () => {
    const url_citation = { url: 'https://x.test', title: 'X', start_index: 0, end_index: 2 }
    const annotations = [{ type: 'url_citation', url_citation }]
    const token = { token: 'Hi', logprob: -0.1, bytes: [72, 105] }
    const logprobs = { content: [{ ...token, top_logprobs: [token] }], refusal: null }
    const { content } = read(completion({ content: 'Hi', annotations }, { logprobs })).choices[0]!

    expect(content).toEqual([
      {
        type: 'text',
        text: 'Hi',
        citations: [{ url: 'https://x.test', title: 'X', start: 0, end: 2 }],
        logprobs: [{ ...token, top: [token] }],
      },
    ])
  })

  test('has as many choices as were asked for', () => {
    const [first] = completion({ content: 'A' }).choices
    const [second] = completion({ content: 'B' }).choices
    const reply = completion({}, {}, { choices: [first, { ...second, index: 1 }] })
    const texts = read(reply, { candidates: 2 }).choices.map(({ content }) => content)

    expect(texts).toEqual([[{ type: 'text', text: 'A' }], [{ type: 'text', text: 'B' }]])
  })
})

function look() {
  return { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }
}
