import { expect, test } from 'vitest'

import { ask } from './telling.ts'

const schema = { type: 'object', properties: {} }

test('a client that asks for a tier of another provider is told that there is none', () => {
  const { body, lost } = ask('chat', 'm', 'generate', { serviceTier: 'BATCH' })
  expect(lost).toEqual({ serviceTier: expect.stringContaining('no such tier') })
  expect(body).not.toHaveProperty('service_tier')
  expect(ask('chat', 'm', 'messages', { service_tier: 'standard_only' }).lost).toEqual({})
})

test('a client whose stop sequences are empty is told that they are left out', () => {
  const generationConfig = { stopSequences: ['', 'END'] }
  const { body, lost } = ask('chat', 'm', 'generate', { generationConfig })
  expect(Object.keys(lost)).toEqual(['generationConfig.stopSequences'])
  expect(body.stop).toEqual(['END'])
})

test('a client that wants more alternatives of tokens than there are is told how many it gets', () => {
  const { body, lost } = ask('chat', 'm', 'responses', { input: 'Hello', top_logprobs: 50 })
  expect(lost).toEqual({ top_logprobs: expect.stringContaining('lowered to 20') })
  expect(body.top_logprobs).toBe(20)
})

test('a client that wants pictures seen as they are is told of the detail that there is', () => {
  const image_url = 'https://x.test/a.png'
  const content = [{ type: 'input_image', image_url, detail: 'original' }]
  const { lost } = ask('chat', 'm', 'responses', { input: [{ role: 'user', content }] })
  expect(lost).toEqual({ 'input[0].content[0].detail': expect.stringContaining('`high`') })
})

test.each(['gpt-5-mini', 'openai/o3'])('a client is told that %s samples by itself', (model) => {
  const generationConfig = {
    temperature: 0.2,
    topP: 0.9,
    presencePenalty: 1,
    frequencyPenalty: 0,
  }
  const { body, lost } = ask('chat', model, 'generate', { generationConfig })
  expect(Object.keys(lost).toSorted()).toEqual([
    'generationConfig.presencePenalty',
    'generationConfig.temperature',
    'generationConfig.topP',
  ])
  for (const name of ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty']) {
    expect(body).not.toHaveProperty(name)
  }
})

test('a client that asks a model for thoughts that has none is told so', () => {
  const thinking = { type: 'enabled', budget_tokens: 2048 }
  const { body, lost } = ask('chat', 'gpt-4o', 'messages', { thinking })
  expect(lost).toEqual({ 'thinking.budget_tokens': 'the model does not reason' })
  expect(body).not.toHaveProperty('reasoning_effort')
  const off = { thinking: { type: 'disabled' } }
  expect(ask('chat', 'gpt-4o', 'messages', off).lost).toEqual({})
})

test('a client that may call none of its tools is told that none is offered', () => {
  const tools = [{ type: 'function', name: 'look', parameters: schema }]
  const choice = [{ type: 'function', name: 'hear' }]
  const tool_choice = { type: 'allowed_tools', mode: 'auto', tools: choice }
  const { body, lost } = ask('chat', 'm', 'responses', { tools, tool_choice })
  expect(Object.keys(lost)).toEqual(['tool_choice'])
  expect(body).not.toHaveProperty('tools')
})

test('a client that asks for nothing special is told nothing', () => {
  const generationConfig = { temperature: 1, topP: 1, maxOutputTokens: 100 }
  expect(ask('chat', 'gpt-5', 'generate', { generationConfig }).lost).toEqual({})
})
