import type OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask, connect, refusal, ways } from '../chaining/asking.ts'
import { collect } from '../sdk/walk.ts'
import { foreign, newest, startKept } from './stage.ts'

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: false },
]

/** What a response may hold, by the model that answers so. */
const kinds = [
  { what: 'a text', model: 'sandbox/words=4', fields: {} },
  { what: 'reasoning', model: 'sandbox/think+whoami', fields: {} },
  { what: 'calls', model: 'sandbox/tools=2', fields: { tools } },
  { what: 'a long tool', model: 'sandbox/words=4', fields: { tools: [longTool()] } },
  { what: 'a text that was cut', model: 'sandbox/words=9', fields: { max_output_tokens: 16 } },
]

describe.concurrent.for(foreign)('before accounts that speak %s, a client', (speaks) => {
  describe.for(dailyRows(kinds, foreign.indexOf(speaks)))(
    'that asks for the events of a response with $what',
    ({ model, fields }) => {
      test.for(ways)('gets the response by its events, and got it $way', async (way) => {
        await using stage = await startKept(speaks)
        const client = connect(stage)
        const given = await ask(client, { model, ...fields }, way)

        const events = await collect(await client.responses.retrieve(given.id, { stream: true }))
        const final = await client.responses.stream({ response_id: given.id }).finalResponse()

        expect(events.at(0)).toMatchObject({
          type: 'response.created',
          response: {
            id: given.id,
            status: 'in_progress',
            output: [],
            output_text: '',
            usage: null,
          },
        })
        expect(events.at(-1)).toMatchObject({
          type: `response.${given.status}`,
          response: { id: given.id, output: given.output, usage: given.usage },
        })
        expect(final.output).toMatchObject(given.output)
        const numbers = events.map((event) => event.sequence_number)
        expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
        expect(new Set(numbers).size).toBe(numbers.length)
      })
    },
  )

  test('that has seen some of the events gets those after them', async () => {
    await using stage = await startKept(speaks)
    const client = connect(stage)
    const { id } = await ask(client)
    const all = await collect(await client.responses.retrieve(id, { stream: true }))
    const after = (event: number) =>
      client.responses.retrieve(id, { stream: true, starting_after: event })

    for (const { sequence_number: number } of all) {
      const rest = await collect(await after(number))
      expect(rest).toEqual(all.filter((event) => event.sequence_number > number))
    }
  })

  test.for(['-1', '1.5', 'x', ''])('is told that %o is no event', async (number) => {
    await using stage = await startKept(speaks)
    const client = connect(stage)
    const { id } = await ask(client)

    const query = { stream: true, starting_after: number }
    const asked = client.get(`/responses/${id}`, { query })

    expect(await refusal(newest, asked)).toMatchObject({
      status: 400,
      body: { code: 400, param: 'starting_after' },
    })
  })

  test('that lost a stream half way gets at least its end', async () => {
    await using stage = await startKept(speaks)
    const client = connect(stage)
    const model = 'sandbox/words=40'
    const stream = await client.responses.create({ model, input: 'hi', stream: true })
    const told = await collect(stream)
    const last = told.at(-1)
    if (last?.type !== 'response.completed') throw new Error('The stream was not completed.')
    const seen = told.at(-10)?.sequence_number ?? 0

    const rest = await collect(
      await client.responses.retrieve(last.response.id, { stream: true, starting_after: seen }),
    )

    expect(rest.at(-1)).toEqual(last)
  })
})

function longTool(): OpenAI.Responses.Tool {
  const description = '\u0001ü'.repeat(100_000)
  return { type: 'function', name: 'weather', description, parameters: {}, strict: false }
}
