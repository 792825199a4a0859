import { expect, test } from 'vitest'

import { chatOutcome } from '../../plugins/dialects/chat/outcome.ts'
import {
  countOutcome as countContents,
  generateOutcome,
} from '../../plugins/dialects/generate/outcome.ts'
import {
  countOutcome as countMessage,
  messageOutcome,
} from '../../plugins/dialects/messages/outcome.ts'
import { plainOutcome, responseOutcome } from '../../plugins/dialects/responses/outcome.ts'

const error = { code: 'server_error', message: 'overworked' }

test('a response without an error says so, and has not failed', () => {
  const response = { id: 'resp_1', object: 'response', status: 'completed', error: null }
  expect(responseOutcome({ ...response, output: [] })).toMatchObject({
    status: 'completed',
    fault: 'none',
    produced: { id: 'resp_1' },
  })
})

test.each([
  { id: 'resp_1', object: 'response', status: 'failed', error, output: [] },
  { id: 'resp_1', object: 'response', status: 'failed', error },
  { id: 'resp_1', status: 'failed', error, output: [] },
])('a response that failed is a reply, and tells of its failure itself', (response) => {
  const outcome = responseOutcome(response)
  expect(outcome).toMatchObject({
    status: 'failed',
    fault: 'none',
    produced: { kind: 'response', id: 'resp_1' },
  })
  expect(outcome.error).toBeUndefined()
})

test.each([
  { status: 'incomplete', error, expected: 'incomplete' },
  { status: 'cancelled', error, expected: 'cancelled' },
  { status: 'queued', error: null, expected: 'incomplete' },
])('a response that is $status stays what it is', ({ expected, ...response }) => {
  const outcome = responseOutcome({ id: 'resp_1', object: 'response', output: [], ...response })
  expect({ status: outcome.status, error: outcome.error }).toEqual({ status: expected })
})

test('a reply that reports an error is a failure, whatever of a result stands beside it', () => {
  const outcomes = [
    chatOutcome({ error, choices: [{ index: 0, finish_reason: 'stop', message: {} }] }),
    messageOutcome({ error, type: 'message', content: [], stop_reason: 'end_turn' }),
    generateOutcome({ error, candidates: [{ finishReason: 'STOP' }] }),
    generateOutcome({ error, promptFeedback: { blockReason: 'SAFETY' } }),
  ]
  for (const { status, fault } of outcomes) {
    expect({ status, fault }).toEqual({ status: 'failed', fault: 'account' })
  }
})

test('a reply whose error has no value is one', () => {
  const empty = { error: { message: '', code: null } }
  const outcomes = [
    chatOutcome({ ...empty, choices: [{ index: 0, finish_reason: 'stop', message: {} }] }),
    messageOutcome({ ...empty, type: 'message', content: [], stop_reason: 'end_turn' }),
    countMessage({ ...empty, input_tokens: 0 }),
    generateOutcome({ ...empty, candidates: [{ finishReason: 'STOP' }] }),
    countContents({ ...empty, totalTokens: 0 }),
  ]
  for (const { status, fault } of outcomes) {
    expect({ status, fault }).toEqual({ status: 'completed', fault: 'none' })
  }
})

test('a list with nothing but an empty error is an error', () => {
  expect(plainOutcome({ error: {} }).status).toBe('failed')
  expect(plainOutcome({ errors: [], error: {}, data: [] }).status).toBe('completed')
})

test('a blocked prompt is a reply without candidates', () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' } }
  expect(generateOutcome(blocked)).toMatchObject({ status: 'incomplete', fault: 'none' })
})

test('a completion without any choice is no result', () => {
  expect(chatOutcome({ error, choices: [] }).status).toBe('failed')
  expect(chatOutcome({ error, choices: null }).status).toBe('failed')
})
