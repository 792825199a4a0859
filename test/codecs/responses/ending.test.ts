import { expect, test } from 'vitest'

import type { GenerateResult, StopReason } from '../../../src/generate/result.ts'
import { decodedResult, encodedResult, written } from './codec.ts'
import { hello, reply, weather } from './replies.ts'

const endings: [StopReason, string, string | undefined][] = [
  ['stop', 'completed', undefined],
  ['tool_calls', 'completed', undefined],
  ['paused', 'completed', undefined],
  ['length', 'incomplete', 'max_output_tokens'],
  ['context', 'incomplete', 'max_output_tokens'],
  ['filtered', 'incomplete', 'content_filter'],
  ['refused', 'incomplete', 'content_filter'],
]

test.each(endings)('a reply that ended with %s is %s', (reason, status, why) => {
  const { body } = encodedResult(reply([hello], { reason }))
  expect(body.status).toBe(status)
  expect(body.completed_at).toEqual(why === undefined ? expect.any(Number) : null)
  expect(body.incomplete_details).toEqual(why === undefined ? null : { reason: why })
  expect(written(reply([hello], { reason })).at(-1)?.type).toBe(`response.${status}`)
})

test('a refusal in words is a complete answer', () => {
  const { body } = encodedResult(reply([{ type: 'refusal', text: 'No.' }], { reason: 'refused' }))
  expect(body).toMatchObject({
    status: 'completed',
    output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }],
    output_text: '',
  })
})

test('of a reply that was cut the last item is incomplete, and only that', () => {
  const { body } = encodedResult(reply([hello, weather], { reason: 'length' }))
  expect(body.output).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }])
})

test.each([
  [{ status: 'completed' }, 'stop'],
  [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
  [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, 'filtered'],
  [{ status: 'incomplete', incomplete_details: { reason: 'steered' } }, 'length'],
  [{ status: 'incomplete', incomplete_details: null }, 'length'],
  [{}, 'stop'],
] as const)('an account that ends with %j means %s', (ending, reason) => {
  const result = decodedResult({ id: 'resp_1', output: [], ...ending }) as GenerateResult
  expect(result.choices[0]?.stop.reason).toBe(reason)
})

test('an account that calls a tool waits for it, unless it was cut off', () => {
  const output = [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }]
  const reasonOf = (told: object) =>
    (decodedResult({ output, ...told }) as GenerateResult).choices[0]?.stop
  expect(reasonOf({ status: 'completed' })).toEqual({ reason: 'tool_calls', raw: 'completed' })
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  expect(reasonOf(cut)).toEqual({ reason: 'length', raw: 'max_output_tokens' })
})
