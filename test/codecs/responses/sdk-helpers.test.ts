import { expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { eventsOf } from '../../../src/generate/replay.ts'
import type { GenerateResult } from '../../../src/generate/result.ts'
import { encodedResult, framesOf } from './codec.ts'
import { hello, replies, reply, thought, usage as told, weather } from './replies.ts'
import { serve } from './sdk.ts'

const asked = { model: 'm', input: 'hi' }
const stream = (told: GenerateResult) => serve('text/event-stream', framesOf(eventsOf(told)))
const json = (told: GenerateResult) =>
  serve('application/json', JSON.stringify(encodedResult(told).body))

const helpers = ['v5', 'v6', 'v7'] as const
const cases = helpers.flatMap((version) =>
  Object.entries(replies).map(([name, told]) => [version, name, told] as const),
)

test.each(dailyRows(cases))(
  "%s's stream helper reads %s as the JSON reply has it",
  async (version, _, told) => {
    await using streamed = await stream(told)
    const final = await streamed.clients[version].responses.stream(asked).finalResponse()
    const { body } = encodedResult(told)
    // Its helper keeps the first snapshot of a response that was cut (facts: 1.6).
    const isForgotten = version === 'v5' && body.status !== 'completed'
    const { id, status, usage, output_text } = body
    expect(final).toMatchObject(isForgotten ? { id } : { id, status, usage, output_text })
    const kinds = (body.output as { type: string }[]).map(({ type }) => ({ type }))
    expect(final.output).toMatchObject(isForgotten ? kinds : (body.output as object[]))
  },
)

test.each(['v4', ...helpers] as const)('%s reads a JSON reply', async (version) => {
  await using server = await json(reply([thought, hello, weather], { reason: 'tool_calls' }))
  const response = await server.clients[version].responses.create(asked)
  expect(response.output_text).toBe('Hello there')
  expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call'])
  expect(response.usage).toMatchObject({ input_tokens: 20, output_tokens: 9, total_tokens: 29 })
})

test.each(['v4', ...helpers] as const)('%s reads events one by one', async (version) => {
  await using server = await stream(reply([thought, hello, weather], { reason: 'tool_calls' }))
  let said = ''
  let input = ''
  let ended = ''
  const events = await server.clients[version].responses.create({ ...asked, stream: true })
  for await (const event of events) {
    if (event.type === 'response.output_text.delta') said += event.delta
    if (event.type === 'response.function_call_arguments.delta') input += event.delta
    ended = event.type
  }
  expect({ said, input, ended }).toEqual({
    said: 'Hello there',
    input: '{"city":"Oslo"}',
    ended: 'response.completed',
  })
})

test('an answer in JSON is parsed by the helper, of which it keeps no trace on the wire', async () => {
  const text = '{"city":"Oslo"}'
  await using server = await stream(reply([{ type: 'text', text }]))
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const format = { type: 'json_schema', name: 'place', schema } as const
  const final = await server.clients.v7.responses
    .stream({ ...asked, text: { format } })
    .finalResponse()
  expect(JSON.parse(final.output_text)).toEqual({ city: 'Oslo' })
  expect(final.usage?.output_tokens_details.reasoning_tokens).toBe(told.reasoningTokens)
})
