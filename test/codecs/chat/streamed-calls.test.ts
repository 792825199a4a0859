import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { encoded } from './asking.ts'
import { chunk, eventsIn, finish, streamed } from './reading.ts'

const piece = (...tool_calls: JsonObject[]) => chunk({ tool_calls })

const begin = (index: number | undefined, id: string | undefined, name: string, input = '') => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: input },
})

const more = (index: number | undefined, input: string) => ({
  index,
  function: { arguments: input },
})

function callsIn(...chunks: JsonObject[]) {
  const [choice] = streamed([...chunks, finish('tool_calls')]).choices
  return choice?.content.map(
    (part) => part.type === 'tool_call' && [part.id, part.name, part.arguments],
  )
}

describe('a stream that calls tools', () => {
  test('has text and calls, each in a part of its own', () => {
    const chunks = [
      chunk({ content: 'Let me look.' }),
      piece(begin(0, 'a', 'look')),
      piece(more(0, '{"at":')),
      piece(more(0, '1}')),
      finish('tool_calls'),
    ]

    expect(eventsIn(chunks).slice(1)).toEqual([
      { type: 'part', index: 0, choice: 0, part: { type: 'text' } },
      { type: 'delta', index: 0, text: 'Let me look.' },
      { type: 'end', index: 0 },
      {
        type: 'part',
        index: 1,
        choice: 0,
        part: { type: 'tool_call', id: 'a', name: 'look', kind: 'function' },
      },
      { type: 'delta', index: 1, text: '{"at":' },
      { type: 'delta', index: 1, text: '1}' },
      { type: 'end', index: 1 },
      { type: 'stop', choice: 0, stop: { reason: 'tool_calls', raw: 'tool_calls' } },
      { type: 'finish', usage: {} },
    ])
  })

  test('keeps the argument fragments of parallel calls apart', () => {
    const calls = callsIn(
      piece(begin(0, 'a', 'look'), begin(1, 'b', 'hear')),
      piece(more(0, '{"at"'), more(1, '{"it"')),
      piece(more(1, ':2}')),
      piece(more(0, ':1}')),
    )

    expect(calls).toEqual([
      ['a', 'look', '{"at":1}'],
      ['b', 'hear', '{"it":2}'],
    ])
  })

  test('ends a call whose arguments are whole before the next begins', () => {
    const events = eventsIn([
      piece(begin(0, 'a', 'look', '{"at":1}')),
      piece(begin(1, 'b', 'hear')),
      piece(more(1, '{}')),
      finish('tool_calls'),
    ])

    expect(events.map(({ type }) => type).slice(1, 5)).toEqual(['part', 'delta', 'end', 'part'])
  })

  test('may number all calls 0, give no numbers, or repeat what it said', () => {
    const both = [
      ['a', 'look', '{"at":1}'],
      ['b', 'look', '{"at":2}'],
    ]
    const whole = (index: number | undefined, id: string, at: number) =>
      piece(begin(index, id, 'look', `{"at":${at}}`))

    expect(callsIn(whole(0, 'a', 1), whole(0, 'b', 2))).toEqual(both)
    expect(callsIn(whole(undefined, 'a', 1), whole(undefined, 'b', 2))).toEqual(both)
    expect(
      callsIn(
        piece(begin(0, 'a', 'look', '{"at":')),
        piece(begin(0, 'a', 'look', '1}')),
        piece(begin(1, 'b', 'look', '{"at":2')),
        piece({ ...more(1, '}'), id: '' }),
      ),
    ).toEqual(both)
  })

  test('may leave ids and numbers out, and continue the last call', () => {
    const [first, second] = callsIn(
      piece(begin(undefined, undefined, 'look')),
      piece(more(undefined, '{"at":1}')),
      piece(begin(undefined, undefined, 'look', '{"at":2}')),
    ) as [string[], string[]]

    expect([first[2], second[2]]).toEqual(['{"at":1}', '{"at":2}'])
    expect(first[0]).toMatch(/^call_/)
    expect(first[0]).not.toBe(second[0])
  })

  test('may tell the name of a call after the first arguments', () => {
    const calls = callsIn(
      piece({ index: 0, id: 'a', type: 'function', function: { name: null, arguments: '{' } }),
      piece({ index: 0, function: { name: 'look', arguments: '}' } }),
    )

    expect(calls).toEqual([['a', 'look', '{}']])
  })

  test('may call without arguments', () => {
    expect(callsIn(piece(begin(0, 'a', 'look')))).toEqual([['a', 'look', '']])
  })

  test('may call custom tools', () => {
    const [choice] = streamed([
      piece({ index: 0, id: 'a', type: 'custom', custom: { name: 'run', input: '' } }),
      piece({ index: 0, custom: { input: 'ls {' } }),
      piece({ index: 0, custom: { input: '}' } }),
      finish('tool_calls'),
    ]).choices

    expect(choice?.content).toEqual([
      { type: 'tool_call', id: 'a', name: 'run', kind: 'custom', arguments: 'ls {}' },
    ])
  })

  test('stops for its calls even where it says `stop`', () => {
    const [choice] = streamed([piece(begin(0, 'a', 'look', '{}')), finish('stop')]).choices

    expect(choice?.stop).toEqual({ reason: 'tool_calls', raw: 'stop' })
  })

  test('uses the names that the client knows, where an account would not take them', () => {
    const request: Partial<GenerateRequest> = {
      tools: [{ kind: 'function', name: 'files.read all' }],
    }
    const [tool] = encoded(request).tools as [{ function: { name: string } }]
    const [choice] = streamed([piece(begin(0, 'a', tool.function.name)), finish('stop')], {
      request,
    }).choices

    expect(tool.function.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(choice?.content).toMatchObject([{ name: 'files.read all' }])
  })

  test('that never names the tool has failed', () => {
    const nameless = piece({ index: 0, id: 'a', function: { arguments: '{}' } })

    for (const ending of ['done', 'end'] as const) {
      expect(eventsIn([nameless, finish('tool_calls')], { ending }).at(-1)).toEqual({
        type: 'error',
        message: 'The upstream sent a function call without a name.',
        status: 502,
      })
    }
  })
})
