import { expect, test } from 'vitest'

import { responsesCodec } from '../../../plugins/dialects/responses/codec/index.ts'
import { encodeWithLosses } from './codec.ts'

test.each(['gpt-4o', 'gpt-4.1-mini', 'openai/gpt-3.5-turbo'])(
  '%s is not asked to reason, and the client is told by its own name for it',
  (model) => {
    const fields = { reasoning_effort: 'output_config.effort' }
    const asked = encodeWithLosses({ reasoning: { effort: 'high' }, fields }, model)
    expect(asked.body).not.toHaveProperty('reasoning')
    expect(asked.body).not.toHaveProperty('include')
    expect(asked.dropped).toEqual(['output_config.effort'])
    expect(encodeWithLosses({ reasoning: { budget: 0 } }, model).dropped).toEqual([])
  },
)

test.each(['o1', 'o3-mini', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5-mini', 'azure/gpt-5-nano'])(
  '%s is not told how to sample',
  (model) => {
    const { body, dropped } = encodeWithLosses({ sampling: { temperature: 0.2, topP: 0.5 } }, model)
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('top_p')
    expect(dropped).toEqual(['temperature', 'top_p'])
    expect(encodeWithLosses({ sampling: { temperature: 1 } }, model).dropped).toEqual([])
  },
)

test.each(['gpt-4o', 'gpt-5-chat-latest', 'gpt-5.1', 'gpt-50', 'o10', 'my-own-model'])(
  '%s is told how to sample',
  (model) => {
    const { body, dropped } = encodeWithLosses({ sampling: { temperature: 0.2, topP: 0.5 } }, model)
    expect(body).toMatchObject({ temperature: 0.2, top_p: 0.5 })
    expect(dropped).toEqual([])
  },
)

test.each([
  ['standard_only', 'default', []],
  ['priority', 'priority', []],
  ['gold', undefined, ['serviceTier']],
])('the tier %s is asked for as %s', (serviceTier, expected, losses) => {
  const fields = { service_tier: 'serviceTier' }
  const { body, dropped } = encodeWithLosses({ serviceTier, fields }, 'm')
  expect(body.service_tier).toBe(expected)
  expect(dropped).toEqual(losses)
})

const long = "This model's maximum context length is 128000 tokens."

test.each([
  [400, { code: 'context_length_exceeded', message: 'No.' }, true],
  [400, { message: long }, true],
  [400, { message: 'Your input exceeds the context window of this model.' }, true],
  [400, { message: 'Unsupported parameter.' }, false],
  [429, { message: long }, false],
])('an account that answers %i %j: the input is too long: %s', (status, error, expected) => {
  expect(responsesCodec.exceedsContext?.({ status, json: { error } })).toBe(expected)
})

test('an answer without an error object says nothing of the input', () => {
  expect(responsesCodec.exceedsContext?.({ status: 400, json: undefined })).toBe(false)
})
