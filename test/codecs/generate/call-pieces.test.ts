import { describe, expect, test } from 'vitest'

import type { JsonObject } from '../../../src/lib/json/object.ts'
import { collect, decode, read, readEvents } from './codec.ts'

function chunk(functionCall: JsonObject, more: JsonObject = {}): JsonObject {
  return { candidates: [{ content: { role: 'model', parts: [{ functionCall, ...more }] } }] }
}

const last = { candidates: [{ finishReason: 'STOP' }] }

/** The calls that a stream of pieces makes. */
function callsOf(pieces: readonly JsonObject[]): unknown[] {
  const result = collect(readEvents([...pieces.map((piece) => chunk(piece)), last]))
  return (result?.choices[0]?.content ?? []).map((part) =>
    part.type === 'tool_call' ? [part.name, JSON.parse(part.arguments)] : part,
  )
}

const begin = { name: 'f', willContinue: true }
const set = (jsonPath: string, value: JsonObject, willContinue = true) => ({
  partialArgs: [{ jsonPath, ...value }],
  willContinue,
})

describe('a call in pieces becomes one call', () => {
  test.each<[string, JsonObject[], unknown]>([
    ['whose arguments never come', [{ name: 'f' }], {}],
    ['whose arguments never come, with an end', [begin, {}], {}],
    ['whose last piece says so', [begin, set('$.a', { boolValue: false }, false)], { a: false }],
    [
      'whose last piece is silent about it',
      [begin, { partialArgs: [{ jsonPath: '$.a', nullValue: 'NULL_VALUE' }] }],
      { a: null },
    ],
    [
      'with a null as Protobuf writes it',
      [begin, set('$.a', { nullValue: null }), {}],
      { a: null },
    ],
    [
      'with a text in pieces',
      [
        begin,
        set('$.a', { stringValue: 'x', willContinue: true }),
        { partialArgs: [{ jsonPath: '$.a', stringValue: 'y', willContinue: true }] },
        set('$.a', { stringValue: 'z' }, false),
      ],
      { a: 'xyz' },
    ],
    [
      'with a text whose path has two spellings',
      [begin, set('$.a', { stringValue: 'x', willContinue: true }), set("$['a']", {}), {}],
      { a: 'x' },
    ],
    [
      'with a text that comes whole at last',
      [begin, set('$.a', { stringValue: 'x', willContinue: true }), { args: { a: 'xy' } }],
      { a: 'xy' },
    ],
    ['with an empty text', [begin, set('$.a', { stringValue: '' }), {}], { a: '' }],
    [
      'whose paths come in any order',
      [
        begin,
        set('$.a[0].b', { numberValue: 1 }),
        set('$.c', { boolValue: true }),
        set('$.a[0].d', { stringValue: 'e' }),
        set("$['a'][1][0]", { numberValue: 2 }),
        {},
      ],
      { a: [{ b: 1, d: 'e' }, [2]], c: true },
    ],
    [
      'with odd names',
      [
        begin,
        set('$["a.b"][\'c"\\\'d\']', { numberValue: 1 }),
        set('$.__proto__.polluted', { numberValue: 2 }),
        set('$.constructor', { numberValue: 3 }),
        set('$.naïve-name', { numberValue: 4 }),
        {},
      ],
      JSON.parse('{"a.b":{"c\\"\'d":1},"__proto__":{"polluted":2},"constructor":3,"naïve-name":4}'),
    ],
    ['with empty containers', [begin, set('$.a', {}), set('$.b[]', {}), {}], { a: {}, b: [] }],
    ['whose arguments come whole', [begin, { args: { a: 1 } }], { a: 1 }],
    [
      'whose first arguments come whole',
      [{ ...begin, args: { a: { b: 1 } } }, set('$.a.c', { numberValue: 2 }), {}],
      { a: { b: 1, c: 2 } },
    ],
    ['whose arguments come as a text', [begin, { args: '{"a":1}' }], { a: 1 }],
  ])('%s', (_, pieces, args) => {
    expect(callsOf(pieces)).toEqual([['f', args]])
    expect(({} as JsonObject).polluted).toBeUndefined()
  })
})

describe('a call without its end', () => {
  const cut = { stringValue: 'x', willContinue: true }
  const calls: [string, JsonObject[]][] = [
    ['that only begins', [begin]],
    ['behind a value', [begin, set('$.a', { numberValue: 1 })]],
    ['within a text', [begin, set('$.a', cut)]],
    ['within a text that a last piece leaves open', [begin, set('$.a', cut), {}]],
    ['within one text of two', [begin, set('$.a', cut), set('$.b', cut), set('$.a', {}), {}]],
    [
      'before another call',
      [
        { ...begin, id: 'one' },
        { name: 'g', args: {} },
      ],
    ],
  ]

  test.each(calls)('%s is no success', (_, pieces) => {
    for (const finishReason of ['STOP', 'OTHER', 'MALFORMED_FUNCTION_CALL', 'NEW_REASON']) {
      const ended = { candidates: [{ finishReason }] }
      expect(collect(readEvents([...pieces.map((piece) => chunk(piece)), ended]))).toBeUndefined()
    }
    const parts = pieces.map((functionCall) => ({ functionCall }))
    expect(() => read({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })).toThrow(
      'The upstream sent a function call without its end.',
    )
  })

  test.each(calls)('%s is a part of a reply that is cut itself', (_, pieces) => {
    for (const [finishReason, reason] of [
      ['MAX_TOKENS', 'length'],
      ['SAFETY', 'filtered'],
    ] as const) {
      const ended = { candidates: [{ finishReason }] }
      const result = collect(readEvents([...pieces.map((piece) => chunk(piece)), ended]))
      expect(result?.choices[0]).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining({ name: 'f' })]),
        stop: { reason },
      })
    }
  })
})

test('a call that the limit of tokens cuts has the arguments so far', () => {
  const cut = chunk(set('$.a', { stringValue: 'x', willContinue: true }))
  const events = readEvents([chunk(begin), cut, { candidates: [{ finishReason: 'MAX_TOKENS' }] }])
  expect(collect(events)?.choices[0]?.content).toMatchObject([{ arguments: '{"a":"x"}' }])
})

test('pieces belong to the call with their id, else to the last one without its end', () => {
  expect(
    callsOf([
      { ...begin, id: 'one' },
      { ...begin, name: 'g', id: 'two' },
      { id: 'one', ...set('$.a', { numberValue: 1 }) },
      set('$.a', { numberValue: 2 }),
      { id: 'two' },
      { id: 'one', name: 'f', ...set('$.b', { numberValue: 3 }, false) },
      { name: 'h', args: {} },
      {},
    ]),
  ).toEqual([
    ['f', { a: 1, b: 3 }],
    ['g', { a: 2 }],
    ['h', {}],
  ])
})

test('a call in pieces has its id and its signature', () => {
  const thoughtSignature = Buffer.from('signed').toString('base64')
  const chunks = [chunk({ ...begin, id: 'one' }, { thoughtSignature }), chunk({}), last]
  expect(collect(readEvents(chunks))?.choices[0]).toMatchObject({
    content: [{ id: 'one', name: 'f', arguments: '{}', signature: { value: thoughtSignature } }],
    stop: { reason: 'tool_calls' },
  })
})

test('calls of several candidates are apart', () => {
  const candidates = (calls: (JsonObject | undefined)[]) => ({
    candidates: calls.flatMap((functionCall, index) =>
      functionCall ? [{ index, content: { parts: [{ functionCall }] } }] : [],
    ),
  })
  const events = readEvents(
    [
      candidates([begin, begin]),
      candidates([set('$.a', { numberValue: 0 }), set('$.a', { numberValue: 1 })]),
      candidates([undefined, {}]),
      candidates([{}]),
      { candidates: [0, 1].map((index) => ({ index, finishReason: 'STOP' })) },
    ],
    { candidates: 2 },
  )
  expect(collect(events)?.choices.map(({ content }) => content)).toMatchObject([
    [{ arguments: '{"a":0}' }],
    [{ arguments: '{"a":1}' }],
  ])
})

describe('a piece that cannot be read fails the reply', () => {
  test.each<[string, JsonObject[]]>([
    ['without a call before it', [{}]],
    ['without a call before it, with a value', [set('$.a', { numberValue: 1 })]],
    ['after a call that has ended', [{ name: 'f', args: {} }, set('$.a', { numberValue: 1 })]],
    ['without a path', [begin, { partialArgs: [{ numberValue: 1 }] }]],
    ['with a wild path', [begin, set('$..a', { numberValue: 1 })]],
    ['with a path of all', [begin, set('$.a[*]', { numberValue: 1 })]],
    ['far behind the end of a list', [begin, set('$.a[999999999]', { numberValue: 1 })]],
    ['into a number', [begin, set('$.a', { numberValue: 1 }), set('$.a.b', { numberValue: 1 })]],
    ['with a name in a list', [begin, set('$.a[0]', { numberValue: 1 }), set('$.a.b', {})]],
    ['too deep', [begin, set(`$${'.a'.repeat(5_000)}`, { numberValue: 1 })]],
  ])('%s', (_, pieces) => {
    expect(() => callsOf(pieces)).toThrow(/function call/)
  })
})

test('a whole reply may have a call in pieces as well', () => {
  const parts = [{ functionCall: begin }, { functionCall: set('$.a', { numberValue: 1 }, false) }]
  const reply = read({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
  expect(reply).toMatchObject({ choices: [{ content: [{ name: 'f', arguments: '{"a":1}' }] }] })
})

describe('a chat that sends the pieces of its answer back', () => {
  const contents = (pieces: readonly JsonObject[], result: JsonObject = { name: 'f' }) => [
    { role: 'user', parts: [{ text: 'hi' }] },
    ...pieces.map((functionCall) => ({ role: 'model', parts: [{ functionCall }] })),
    { role: 'user', parts: [{ functionResponse: { response: {}, ...result } }] },
  ]

  test('has one call with its arguments', () => {
    const { turns } = decode({
      contents: contents([
        begin,
        set('$.a', { stringValue: 'x', willContinue: true }),
        { partial_args: [{ json_path: '$.a', string_value: 'y' }], will_continue: true },
        { partial_args: [{ json_path: '$.b', null_value: 'NULL_VALUE' }], will_continue: true },
        {},
      ]),
    })
    expect(turns[1]).toMatchObject({
      content: [{ type: 'tool_call', name: 'f', arguments: '{"a":"xy","b":null}' }],
    })
    expect(turns).toHaveLength(3)
  })

  test('has one call although its end is missing, or comes twice', () => {
    for (const end of [[], [{}, {}]]) {
      const { turns } = decode({ contents: contents([begin, ...end]) })
      expect(turns[1]).toMatchObject({ content: [{ name: 'f', arguments: '{}' }] })
    }
  })

  test.each<[string, JsonObject[], string]>([
    [
      'a piece of no call',
      [set('$.a', { numberValue: 1 })],
      'contents[1].parts[0].functionCall.name',
    ],
    [
      'a path that cannot be read',
      [begin, set('a', { numberValue: 1 })],
      'contents[2].parts[0].functionCall.partialArgs',
    ],
    [
      'a text that is none',
      [begin, set('$.a', { stringValue: 1 })],
      'contents[2].parts[0].functionCall.partialArgs[0].stringValue',
    ],
  ])('is refused for %s', (_, pieces, param) => {
    expect(() => decode({ contents: contents(pieces) })).toThrow(
      expect.objectContaining({ code: 'invalid_value', param }),
    )
  })
})
