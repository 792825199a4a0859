import { expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { decode } from './codec.ts'

const ask = { role: 'user', parts: [{ text: 'Weather in Oslo and Rome?' }] }

function callOf(name: string, args: JsonObject, id?: string): JsonObject {
  return { functionCall: { name, args, ...(id !== undefined && { id }) } }
}

function answerOf(name: string, response: unknown, id?: string): JsonObject {
  return { functionResponse: { name, response, ...(id !== undefined && { id }) } }
}

/** The ids of the calls, and the calls that the results answer, in the order of the client. */
function pairs(contents: readonly JsonObject[]) {
  const { turns } = decode({ contents })
  const calls = turns.flatMap((turn) =>
    turn.role === 'assistant' ? turn.content.filter((part) => part.type === 'tool_call') : [],
  )
  const results = turns.flatMap((turn) => (turn.role === 'tool' ? turn.results : []))
  return { calls, results }
}

test.each([
  [{ output: 'rain' }, 'rain', undefined],
  [{ output: { rain: 3 } }, '{"rain":3}', undefined],
  [{ error: 'no such city' }, 'no such city', true],
  [{ name: 'weather', content: 'rain' }, 'rain', undefined],
  [{ name: 'weather', error: 'no such city' }, 'no such city', true],
  [{ rain: 3, error: 'none' }, '{"rain":3,"error":"none"}', undefined],
  [{ name: 'Oslo', content: 'rain' }, '{"name":"Oslo","content":"rain"}', undefined],
  [{}, '', undefined],
])('a tool that answers %j says %j', (response, text, failed) => {
  const { results } = pairs([
    ask,
    { role: 'model', parts: [callOf('weather', {})] },
    { role: 'user', parts: [answerOf('weather', response)] },
  ])
  expect(results[0]?.content).toEqual([{ type: 'text', text }])
  expect(results[0]?.failed).toBe(failed)
})

test('a tool that answers with a picture, and words after it, keeps both', () => {
  const { turns, fields } = decode({
    contents: [
      ask,
      { role: 'model', parts: [callOf('look', {})] },
      {
        role: 'user',
        parts: [
          { text: 'Here:' },
          {
            functionResponse: {
              name: 'look',
              response: {},
              parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw==' } }],
            },
          },
        ],
      },
    ],
  })
  expect(turns.slice(2)).toMatchObject([
    { role: 'tool', results: [{ name: 'look', content: [{ type: 'image' }] }] },
    { role: 'user', content: [{ type: 'text', text: 'Here:' }] },
  ])
  expect(fields.tool_result_media).toBe('contents[2].parts[1].functionResponse.parts')
})
