import { describe, expect, test } from 'vitest'

import { ask } from './telling.ts'

const enforced = { type: 'object', properties: { city: { type: 'string' } } }

describe('a client that asks for the form of the answer', () => {
  const form = (told: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: told } },
  })

  test('is told nothing where all of the schema is enforced', () => {
    const nested = { ...enforced, properties: { places: { type: 'array', items: enforced } } }
    const named = { type: 'object', properties: { pattern: { type: 'string', title: 'P' } } }
    for (const told of [enforced, nested, named, { ...enforced, additionalProperties: false }]) {
      expect(ask('messages', 'claude-sonnet-4-5', 'chat', form(told)).lost).toEqual({})
    }
  })

  test.each([
    ['a keyword that is not enforced', 'claude-sonnet-4-5', { ...enforced, minProperties: 1 }],
    ['open objects', 'claude-sonnet-4-5', { ...enforced, additionalProperties: true }],
    ['a model that enforces none', 'claude-3-haiku-20240307', enforced],
    ['a schema that refers to itself', 'claude-sonnet-4-5', { ...enforced, items: { $ref: '#' } }],
  ])('is told what is not: %s', (_, model, told) => {
    const { lost } = ask('messages', model, 'chat', form(told))
    expect(lost).toEqual({
      'response_format.json_schema': expect.stringContaining('does not enforce'),
    })
  })
})

const schema = { type: 'object', properties: { city: { type: 'string' } } }
const tool = (more = {}) => ({
  type: 'function',
  function: { name: 'look', parameters: schema, ...more },
})
const sampled = { temperature: 0.2, topP: 0.9, topK: 40 }

describe('a client that says how words are chosen', () => {
  test('is told that a model takes either a temperature or `topP`', () => {
    const asked = { generationConfig: sampled }
    const { body, lost } = ask('messages', 'claude-sonnet-4-5', 'generate', asked)
    expect(Object.keys(lost)).toEqual(['generationConfig.topP'])
    expect(body).toMatchObject({ temperature: 0.2, top_k: 40 })
    expect(body).not.toHaveProperty('top_p')
  })

  test.each([
    ['a model that chooses itself', 'claude-opus-4-8', {}, 'does not support it'],
    [
      'a model that thinks',
      'claude-sonnet-4-5',
      { thinkingConfig: { thinkingBudget: 2048 } },
      'while it thinks',
    ],
  ])('is told that %s takes nothing of it', (_, model, thinking, why) => {
    const asked = { generation_config: { temperature: 0.2, top_p: 0.9, top_k: 40, ...thinking } }
    const { body, lost } = ask('messages', model, 'generate', asked)
    for (const name of ['temperature', 'top_p', 'top_k']) {
      expect(lost[`generation_config.${name}`]).toContain(why)
      expect(body).not.toHaveProperty(name)
    }
  })

  test('is told nothing of what changes nothing', () => {
    const { lost } = ask('messages', 'claude-opus-4-8', 'chat', { temperature: 1, top_p: 1 })
    expect(lost).toEqual({})
  })
})

describe('a client with tools', () => {
  test('is told that a model cannot be made to call one', () => {
    const asked = { tools: [tool()], tool_choice: 'required' }
    const { body, lost } = ask('messages', 'claude-fable-5-1', 'chat', asked)
    expect(lost).toEqual({ tool_choice: expect.stringContaining('the prompt asks for it') })
    expect(body.tool_choice).toEqual({ type: 'auto' })
  })

  test.each([
    ['a model that enforces none', 'claude-3-haiku-20240307', schema],
    ['a schema that refers to itself', 'claude-sonnet-4-5', { ...schema, items: { $ref: '#' } }],
  ])('is told that arguments are not held to their schema: %s', (_, model, parameters) => {
    const { lost } = ask('messages', model, 'chat', { tools: [tool({ strict: true, parameters })] })
    expect(lost).toEqual({
      'tools[0].function.strict': expect.stringContaining('does not enforce'),
    })
    const { lost: nothing } = ask('messages', 'claude-sonnet-4-5', 'chat', {
      tools: [tool({ strict: true })],
    })
    expect(nothing).toEqual({})
  })

  test('is told that alternatives become one object', () => {
    const { lost } = ask('messages', 'm', 'chat', {
      tools: [tool({ parameters: { anyOf: [schema, schema] } })],
    })
    expect(lost).toEqual({ tools: expect.stringContaining('alternatives') })
  })

  test('is told that of two with one name the first is offered', () => {
    const { body, lost } = ask('messages', 'm', 'chat', { tools: [tool(), tool()] })
    expect(lost).toEqual({ tools: 'tool names must be unique; only the first tool is sent' })
    expect(body.tools).toHaveLength(1)
  })

  test('is told by its own name that the tool to be called is none of them', () => {
    const chosen = { type: 'function', function: { name: 'hear' } }
    expect(() => ask('messages', 'm', 'chat', { tools: [tool()], tool_choice: chosen })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param: 'tool_choice' }),
    )
  })
})

test('a client that wants a longer answer than the model writes is told how long it is', () => {
  const { body, lost } = ask('messages', 'claude-3-haiku-20240307', 'responses', {
    max_output_tokens: 10_000,
  })
  expect(lost).toEqual({ max_output_tokens: expect.stringContaining('lowered to 4096') })
  expect(body.max_tokens).toBe(4096)
})

test('a client that begins the answer is told that the model begins every answer itself', () => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'It is' },
  ]
  expect(ask('messages', 'claude-opus-4-8', 'chat', { messages }).lost).toHaveProperty('messages')
  expect(ask('messages', 'claude-sonnet-4-5', 'chat', { messages }).lost).toEqual({})
})

test('a client whose stop sequences are blank is told that they are left out', () => {
  const { body, lost } = ask('messages', 'm', 'chat', { stop: ['\n', 'END'] })
  expect(Object.keys(lost)).toEqual(['stop'])
  expect(body.stop_sequences).toEqual(['END'])
})

test('a client that asks for a tier of another provider is told that there is none', () => {
  expect(ask('messages', 'm', 'chat', { service_tier: 'flex' }).lost).toEqual({
    service_tier: 'the Messages API has no such tier',
  })
})
