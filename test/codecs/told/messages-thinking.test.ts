import { describe, expect, test } from 'vitest'

import { ask } from './telling.ts'

const field = 'generationConfig.thinkingConfig.thinkingBudget'
const thinking = (thinkingBudget: number, more = {}) => ({
  generationConfig: { thinkingConfig: { thinkingBudget }, ...more },
})
const effort = (level: string, more = {}) => ({ reasoning_effort: level, ...more })

describe('a client that gives a budget for thoughts', () => {
  test('is told that it is raised to the least', () => {
    const { body, lost } = ask('messages', 'claude-sonnet-4-5', 'generate', thinking(100))
    expect(lost).toEqual({
      [field]: 'the model supports no budget below 1024; raised to 1024 tokens',
    })
    expect(body.thinking).toMatchObject({ budget_tokens: 1024 })
  })

  test('is told that it is lowered to leave room for the answer', () => {
    const asked = thinking(8000, { maxOutputTokens: 5000 })
    const { body, lost } = ask('messages', 'claude-sonnet-4-5', 'generate', asked)
    expect(lost).toEqual({ [field]: expect.stringContaining('lowered to 4000 tokens') })
    expect(body.thinking).toMatchObject({ budget_tokens: 4000 })
  })

  test('is told that there is no room for any', () => {
    const asked = thinking(8000, { maxOutputTokens: 500 })
    const { body, lost } = ask('messages', 'claude-sonnet-4-5', 'generate', asked)
    expect(lost).toEqual({ [field]: expect.stringContaining('leaves none for thinking') })
    expect(body).not.toHaveProperty('thinking')
  })

  test('is told that an effort is asked of a model that has no budgets', () => {
    const { body, lost } = ask('messages', 'claude-opus-4-8', 'generate', thinking(6000))
    expect(lost).toEqual({ [field]: expect.stringContaining('an effort is sent') })
    expect(body.output_config).toEqual({ effort: 'medium' })
  })

  test('is told that the model does not think', () => {
    const { lost } = ask('messages', 'claude-3-haiku-20240307', 'generate', thinking(6000))
    expect(lost).toEqual({ [field]: 'the model does not think' })
  })
})

describe('a client that gives an effort', () => {
  test.each([
    ['minimal', 'low', 'claude-opus-4-8'],
    ['xhigh', 'high', 'claude-opus-4-6'],
  ])('%s is told that %s is the nearest that there is', (asked, told, model) => {
    const { body, lost } = ask('messages', model, 'chat', effort(asked))
    expect(lost).toEqual({ reasoning_effort: expect.stringContaining(`\`${told}\``) })
    expect(body.output_config).toEqual({ effort: told })
  })

  test('is told that it is less where the answer is short', () => {
    const asked = effort('high', { max_tokens: 4000 })
    const { lost } = ask('messages', 'claude-sonnet-4-5', 'chat', asked)
    expect(lost).toEqual({ reasoning_effort: expect.stringContaining('lowered to 3200') })
  })

  test.each(['claude-sonnet-5-5', 'claude-fable-5'])(
    'of none is told that %s thinks all the same',
    (model) => {
      const { lost } = ask('messages', model, 'chat', effort('none'))
      expect(lost).toEqual({ reasoning_effort: expect.stringContaining('the model') })
    },
  )

  test('of none is told nothing by a model that can do without', () => {
    for (const model of ['claude-sonnet-4-5', 'claude-3-haiku-20240307']) {
      expect(ask('messages', model, 'chat', effort('none')).lost).toEqual({})
    }
  })
})

describe('a client whose request excludes thoughts is told so', () => {
  const tools = [{ type: 'function', function: { name: 'look' } }]
  const user = { role: 'user', content: 'Hi' }
  const calls = [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }]

  test.each([
    ['a forced tool', { tools, tool_choice: 'required' }, 'call a tool'],
    ['a begun answer', { messages: [user, { role: 'assistant', content: 'It' }] }, 'prefilled'],
    [
      'calls that are answered without thoughts',
      {
        tools,
        messages: [
          user,
          { role: 'assistant', tool_calls: calls },
          { role: 'tool', tool_call_id: 'a', content: 'x' },
        ],
      },
      'without thinking',
    ],
  ])('by %s', (_, body, why) => {
    const { lost } = ask('messages', 'claude-sonnet-4-5', 'chat', effort('high', body))
    expect(lost).toEqual({ reasoning_effort: expect.stringContaining(why) })
  })
})
