import { expect, test } from 'vitest'

import { chunk, reply } from './chunks.ts'
import { read } from './codec.ts'

const call = { functionCall: { name: 'weather', args: { city: 'Oslo' } } }

test.each([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['max_tokens', 'length'],
  ['SAFETY', 'filtered'],
  ['RECITATION', 'filtered'],
  ['BLOCKLIST', 'filtered'],
  ['PROHIBITED_CONTENT', 'filtered'],
  ['SPII', 'filtered'],
  ['IMAGE_SAFETY', 'filtered'],
  ['IMAGE_PROHIBITED_CONTENT', 'filtered'],
  ['IMAGE_RECITATION', 'filtered'],
  ['MODEL_ARMOR', 'filtered'],
  ['MISSING_THOUGHT_SIGNATURE', 'length'],
  ['LANGUAGE', 'stop'],
  ['OTHER', 'stop'],
  ['NO_IMAGE', 'stop'],
  ['FINISH_REASON_UNSPECIFIED', 'stop'],
  ['MALFORMED_FUNCTION_CALL', 'stop'],
  ['UNEXPECTED_TOOL_CALL', 'stop'],
  ['A_NEW_REASON', 'stop'],
])('a text that ended with %s has %s for a reason', (raw, reason) => {
  const { choices } = read(reply([{ text: 'Hi' }], raw)) as { choices?: unknown }
  expect(choices).toMatchObject([{ stop: { reason, raw } }])
})

test.each([
  ['STOP', 'tool_calls'],
  ['OTHER', 'tool_calls'],
  ['TOO_MANY_TOOL_CALLS', 'tool_calls'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'filtered'],
])('a call that ended with %s has %s for a reason', (raw, reason) => {
  expect(read(reply([call], raw))).toMatchObject({ choices: [{ stop: { reason, raw } }] })
})

test.each([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
  'OTHER',
  'LANGUAGE',
  'NO_IMAGE',
  'IMAGE_OTHER',
  'FINISH_REASON_UNSPECIFIED',
  'A_NEW_REASON',
])('an account that has nothing to show but %s has failed', (finishReason) => {
  const thoughts = [{ text: 'Hm.', thought: true }]
  expect(read(reply([], finishReason))).toMatchObject({ type: 'error', status: 502 })
  expect(read(chunk(thoughts, { finishReason, finishMessage: 'Bad call.' }))).toEqual({
    type: 'error',
    status: 502,
    message: 'Bad call.',
    about: 'answer',
  })
})

test('a blocked prompt whose candidate has no content is filtered, whatever its reason', () => {
  const promptFeedback = { blockReason: 'SAFETY' }
  expect(read({ ...reply([], 'OTHER'), promptFeedback })).toMatchObject({
    choices: [{ stop: { reason: 'filtered', raw: 'SAFETY' } }],
  })
})

test('a prompt that was blocked is a refusal that says why, and no empty success', () => {
  const promptFeedback = { blockReason: 'PROHIBITED_CONTENT' }
  expect(read({ promptFeedback, usageMetadata: { promptTokenCount: 4 } })).toEqual({
    choices: [
      {
        content: [{ type: 'refusal', text: 'The prompt was blocked: PROHIBITED_CONTENT.' }],
        stop: { reason: 'filtered', raw: 'PROHIBITED_CONTENT' },
      },
    ],
    usage: { inputTokens: 4 },
  })
  const told = { blockReason: 'OTHER', blockReasonMessage: 'Not about that.' }
  expect(read({ promptFeedback: told })).toMatchObject({
    choices: [{ content: [{ type: 'refusal', text: 'Not about that.' }] }],
  })
})
