import { describe, expect, test } from 'vitest'

import { ask } from './telling.ts'

const schema = { type: 'object', properties: {} }
const budget = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } })

describe('a client that says how much is to be thought', () => {
  test.each([
    [50_000, 'gemini-2.5-flash', 'lowered to 24576 tokens'],
    [50_000, 'gemini-3-pro', 'lowered to 32768 tokens'],
    [64, 'gemini-2.5-pro', 'raised to 128 tokens'],
    [2048, 'gemini-1.5-flash', 'the model does not think'],
  ])('with a budget of %i for %s is told: %s', (tokens, model, why) => {
    const { lost } = ask('generate', model, 'messages', budget(tokens))
    expect(lost).toEqual({ 'thinking.budget_tokens': expect.stringContaining(why) })
  })

  test.each([
    ['xhigh', 'gemini-3-flash', 'HIGH'],
    ['max', 'gemini-3-pro', 'HIGH'],
    ['minimal', 'gemini-3-pro', 'LOW'],
    ['none', 'gemini-3-flash', 'MINIMAL'],
    ['none', 'gemini-2.5-pro', 'raised to 128 tokens'],
  ])('with an effort of %s for %s is told: %s', (reasoning_effort, model, why) => {
    const { lost } = ask('generate', model, 'chat', { reasoning_effort })
    expect(lost).toEqual({ reasoning_effort: expect.stringContaining(why) })
  })

  test('with an effort beside a budget is told that the budget counts', () => {
    const asked = { ...budget(2048), output_config: { effort: 'high' } }
    const { body, lost } = ask('generate', 'gemini-2.5-flash', 'messages', asked)
    expect(Object.keys(lost)).toEqual(['output_config.effort'])
    expect(body.generationConfig).toMatchObject({ thinkingConfig: { thinkingBudget: 2048 } })
  })

  test('is told nothing where the model does what it says', () => {
    for (const [model, reasoning_effort] of [
      ['gemini-3-flash', 'high'],
      ['gemini-3-flash', 'minimal'],
      ['gemini-2.5-flash', 'none'],
      ['gemini-1.5-flash', 'none'],
    ] as const) {
      expect(ask('generate', model, 'chat', { reasoning_effort }).lost).toEqual({})
    }
  })
})

describe('a client of an older model', () => {
  const tools = [{ type: 'function', name: 'look', parameters: schema }]

  test.each([
    ['a schema', { type: 'json_schema', name: 'n', schema }],
    ['JSON', { type: 'json_object' }],
  ])('that wants %s beside its tools is told that the prompt asks for it', (_, format) => {
    const asked = { tools, text: { format } }
    const { body, lost } = ask('generate', 'gemini-2.5-pro', 'responses', asked)
    expect(lost).toEqual({ 'text.format': expect.stringContaining('the prompt asks for it') })
    expect(body).not.toHaveProperty('generationConfig')
    expect(ask('generate', 'gemini-3-pro', 'responses', asked).lost).toEqual({})
  })

  test('is told that images from a tool follow the result', () => {
    const output = [{ type: 'input_image', image_url: 'data:image/png;base64,iVBO' }]
    const input = [
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output },
    ]
    const { lost } = ask('generate', 'gemini-2.5-pro', 'responses', { tools, input })
    expect(lost).toEqual({
      'input[2].output':
        'the model supports only text in tool results; the media follow the result',
    })
    expect(ask('generate', 'gemini-3-pro', 'responses', { tools, input }).lost).toEqual({})
  })
})

test('a client whose stop sequences are empty is told that they are left out', () => {
  const { body, lost } = ask('generate', 'm', 'messages', { stop_sequences: ['', 'END'] })
  expect(Object.keys(lost)).toEqual(['stop_sequences'])
  expect(body.generationConfig).toEqual({ stopSequences: ['END'] })
})

test('a client that wants more alternatives of tokens than there are is told how many it gets', () => {
  const { body, lost } = ask('generate', 'm', 'chat', { logprobs: true, top_logprobs: 50 })
  expect(lost).toEqual({ logprobs: expect.stringContaining('lowered to 20') })
  expect(body.generationConfig).toEqual({ responseLogprobs: true, logprobs: 20 })
})

test('a client that may call none of its tools is told that none is offered', () => {
  const tools = [{ type: 'function', name: 'look', parameters: schema }]
  const choice = [{ type: 'function', name: 'hear' }]
  const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: choice }
  const { body, lost } = ask('generate', 'm', 'responses', { tools, tool_choice })
  expect(Object.keys(lost)).toEqual(['tool_choice'])
  expect(body).not.toHaveProperty('tools')
})
