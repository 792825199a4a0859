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

test('a client without ids has each result find its call, by name and order', () => {
  const contents = [
    ask,
    {
      role: 'model',
      parts: [
        callOf('weather', { city: 'Oslo' }),
        callOf('time', {}),
        callOf('weather', { city: 'Rome' }),
      ],
    },
    {
      role: 'user',
      parts: [
        answerOf('weather', { output: 'rain' }),
        answerOf('weather', { output: 'sun' }),
        answerOf('time', { output: 'noon' }),
      ],
    },
  ]
  const { calls, results } = pairs(contents)
  expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
  expect(results.map(({ callId }) => callId)).toEqual([calls[0]?.id, calls[2]?.id, calls[1]?.id])
  expect(pairs(contents)).toEqual({ calls, results })
})

test('a client that sends the conversation again, longer, has the same ids for the same calls', () => {
  const contents = [
    ask,
    { role: 'model', parts: [callOf('weather', { city: 'Oslo' })] },
    { role: 'user', parts: [answerOf('weather', { output: 'rain' })] },
  ]
  const longer = [
    ...contents,
    { role: 'model', parts: [callOf('weather', { city: 'Rome' })] },
    { role: 'user', parts: [answerOf('weather', { output: 'sun' })] },
  ]
  const before = pairs(contents).calls.map(({ id }) => id)
  const after = pairs(longer).calls.map(({ id }) => id)
  expect(after[0]).toBe(before[0])
  expect(after[1]).not.toBe(before[0])
})

test('a client with ids has results matched by them, in whatever order they stand', () => {
  const { calls, results } = pairs([
    ask,
    {
      role: 'model',
      parts: [callOf('weather', { city: 'Oslo' }, 'a'), callOf('weather', { city: 'Rome' }, 'b')],
    },
    {
      role: 'function',
      parts: [
        answerOf('weather', { output: 'sun' }, 'b'),
        answerOf('weather', { output: 'rain' }, 'a'),
      ],
    },
  ])
  expect(calls.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(results.map(({ callId }) => callId)).toEqual(['b', 'a'])
})

test('a chat that sends streamed parallel calls back in several contents has them answered', () => {
  const { calls, results } = pairs([
    ask,
    { role: 'model', parts: [callOf('weather', { city: 'Oslo' })] },
    { role: 'model', parts: [callOf('weather', { city: 'Rome' })] },
    { role: 'model', parts: [{ text: '' }] },
    {
      role: 'user',
      parts: [answerOf('weather', { output: 'rain' }), answerOf('weather', { output: 'sun' })],
    },
  ])
  expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id))
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
})

test('a client that uses one id for two calls has them told apart', () => {
  const { calls, results } = pairs([
    ask,
    { role: 'model', parts: [callOf('weather', {}, 'x'), callOf('weather', {}, 'x')] },
    { role: 'user', parts: [answerOf('weather', {}, 'x'), answerOf('weather', {}, 'x')] },
  ])
  expect(calls[0]?.id).not.toBe(calls[1]?.id)
  expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id))
})
