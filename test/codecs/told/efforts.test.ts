import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { ask } from './telling.ts'

const asked = (effort: string): JsonObject => ({ output_config: { effort } })
const budget = (budget_tokens: number) => ({ thinking: { type: 'enabled', budget_tokens } })
const off = { thinking: { type: 'disabled' } }

/** What the account reads of the effort. */
function effortIn({ reasoning_effort, reasoning }: JsonObject): unknown {
  return reasoning_effort ?? (reasoning as JsonObject | undefined)?.effort
}

/** What a client of messages asks a model for, and the effort that the model takes instead. */
const changed: readonly [string, JsonObject, string, string][] = [
  ['o3', asked('max'), 'high', 'output_config.effort'],
  ['openai/o4-mini-2025-04-16', asked('xhigh'), 'high', 'output_config.effort'],
  ['o3', budget(1024), 'low', 'thinking.budget_tokens'],
  ['o1', off, 'low', 'thinking.type'],
  ['o3-deep-research', asked('high'), 'medium', 'output_config.effort'],
  ['gpt-5', asked('max'), 'high', 'output_config.effort'],
  ['gpt-5-mini-2025-08-07', off, 'minimal', 'thinking.type'],
  ['gpt-5-codex', off, 'low', 'thinking.type'],
  ['gpt-5-pro', asked('low'), 'high', 'output_config.effort'],
  ['gpt-5-pro-2025-10-06', off, 'high', 'thinking.type'],
  ['gpt-5.1', asked('xhigh'), 'high', 'output_config.effort'],
  ['gpt-5.1', budget(1024), 'low', 'thinking.budget_tokens'],
  ['gpt-5.1-codex', off, 'low', 'thinking.type'],
  ['gpt-5.1-codex-max', asked('max'), 'xhigh', 'output_config.effort'],
  ['gpt-5.2-chat-latest', asked('high'), 'medium', 'output_config.effort'],
  ['gpt-5.2-pro', off, 'medium', 'thinking.type'],
  ['gpt-5.3-codex', off, 'low', 'thinking.type'],
  ['gpt-5.5', asked('max'), 'xhigh', 'output_config.effort'],
  ['gpt-6-astra', off, 'low', 'thinking.type'],
  ['gpt-oss-120b', off, 'low', 'thinking.type'],
  ['my-own-model', asked('max'), 'high', 'output_config.effort'],
  ['my-own-model', budget(1024), 'low', 'thinking.budget_tokens'],
]

/** What the model takes as it is asked. */
const kept: readonly [string, JsonObject, string][] = [
  ['o3', asked('high'), 'high'],
  ['gpt-5', budget(1024), 'minimal'],
  ['gpt-5-pro', asked('high'), 'high'],
  ['gpt-5.1', off, 'none'],
  ['gpt-5.1-codex-max', asked('xhigh'), 'xhigh'],
  ['openai/gpt-5.5', off, 'none'],
  ['gpt-5.5-2026-04-23', asked('xhigh'), 'xhigh'],
  ['gpt-6-astra', asked('xhigh'), 'xhigh'],
  ['my-own-model', asked('medium'), 'medium'],
]

describe.each(['chat', 'responses'] as const)('a client whose model answers on %s', (account) => {
  test.each(changed)(
    'of %s asks for %j and is told that it gets %s',
    (model, body, effort, field) => {
      const told = ask(account, model, 'messages', body)

      expect(effortIn(told.body)).toBe(effort)
      expect(told.lost).toEqual({ [field]: expect.stringContaining(`\`${effort}\``) })
    },
  )

  test.each(kept)('of %s asks for %j and gets %s', (model, body, effort) => {
    const told = ask(account, model, 'messages', body)

    expect(effortIn(told.body)).toBe(effort)
    expect(told.lost).toEqual({})
  })

  test('is told that a model of which nothing is known may think all the same', () => {
    const told = ask(account, 'my-own-model', 'messages', off)

    expect(effortIn(told.body)).toBeUndefined()
    expect(told.lost).toEqual({ 'thinking.type': expect.stringContaining('left out') })
  })

  test.each(['o1-mini', 'o1-preview-2024-09-12'])('is told that %s takes no effort', (model) => {
    const told = ask(account, model, 'messages', asked('high'))

    expect(effortIn(told.body)).toBeUndefined()
    expect(told.lost).toEqual({ 'output_config.effort': expect.stringContaining('left out') })
  })

  test('asks a model of the chat for no thoughts', () => {
    const told = ask(account, 'gpt-5-chat-latest', 'messages', asked('high'))

    expect(told.body).not.toHaveProperty('include')
    expect(effortIn(told.body)).toBeUndefined()
    expect(told.lost).toEqual({ 'output_config.effort': 'the model does not reason' })
  })

  test('reads thoughts that it wants to read, whatever becomes of the effort', () => {
    const body = { reasoning: { effort: 'max', summary: 'auto' } }
    const { body: sent } = ask('responses', 'o3', 'responses', body)

    expect(sent.reasoning).toEqual({ effort: 'high', summary: 'auto' })
  })
})

test.each(['gpt-5.6-sol', 'gpt-6-astra'])(
  'only accounts of Responses take `max` for %s',
  (model) => {
    const responses = ask('responses', model, 'messages', asked('max'))
    expect(effortIn(responses.body)).toBe('max')
    expect(responses.lost).toEqual({})

    const chat = ask('chat', model, 'messages', asked('max'))
    expect(effortIn(chat.body)).toBe('xhigh')
    expect(chat.lost).toEqual({ 'output_config.effort': expect.stringContaining('`xhigh`') })
  },
)

test('a client of generateContent is told of the effort by its own word for it', () => {
  const generationConfig = { thinkingConfig: { thinkingLevel: 'MINIMAL' } }
  const { body, lost } = ask('chat', 'o3', 'generate', { generationConfig })

  expect(body.reasoning_effort).toBe('low')
  expect(lost).toEqual({
    'generationConfig.thinkingConfig.thinkingLevel': expect.stringContaining('`low`'),
  })
})
