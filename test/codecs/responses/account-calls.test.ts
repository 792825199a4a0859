import { expect, test } from 'vitest'

import { added, argue, call, completed, contentOf, created, done } from './account-wire.ts'
import { collected, decodedEvents, decodedResult, encode } from './codec.ts'

test('parallel calls whose arguments alternate stay apart', () => {
  const second = { ...call, id: 'fc_2', call_id: 'c2' }
  expect(
    contentOf(
      created,
      added(call),
      added(second, 1),
      argue('{"a"'),
      argue('{"b"', 1),
      argue(':1}'),
      argue(':2}', 1),
      completed,
    ),
  ).toMatchObject([
    { id: 'c1', arguments: '{"a":1}' },
    { id: 'c2', arguments: '{"b":2}' },
  ])
})

test('calls that all claim the same place are told apart by their ids', () => {
  const second = { ...call, id: 'fc_2', call_id: 'c2' }
  expect(
    contentOf(
      created,
      added(call),
      argue('{"a":1}'),
      done({ ...call, arguments: '{"a":1}' }),
      added(second),
      argue('{"b":2}'),
      done({ ...second, arguments: '{"b":2}' }),
      completed,
    ),
  ).toMatchObject([
    { id: 'c1', arguments: '{"a":1}' },
    { id: 'c2', arguments: '{"b":2}' },
  ])
})

test('a call may tell its name late, its arguments as an object, its id not at all', () => {
  const { name: _, ...nameless } = call
  expect(
    contentOf(
      created,
      added(nameless),
      argue('{"a":1}'),
      done({ ...call, arguments: '{"a":1}' }),
      completed,
    ),
  ).toMatchObject([{ name: 'f', arguments: '{"a":1}' }])
  expect(contentOf(created, done({ ...call, arguments: { a: 1 } }), completed)).toMatchObject([
    { arguments: '{"a":1}' },
  ])
  const { id: _id, call_id: _call, ...anonymous } = call
  const [first, again] = [0, 1].map(
    () => contentOf(created, done(anonymous), completed)?.[0] as { id: string },
  )
  expect(first?.id).toMatch(/^call_[A-Za-z0-9]{24}$/)
  expect(first).toEqual(again)
})

test('a call of a nameless tool is no reply', () => {
  const nameless = { ...call, name: '' }
  const broken = expect.objectContaining({ code: 'upstream_invalid_reply' })
  expect(() => decodedEvents([created, done(nameless), completed])).toThrow(broken)
  expect(() => decodedEvents([created, added(nameless), argue('{}'), completed])).toThrow(broken)
})

test('a call whose id is told for the item only has that id', () => {
  const { call_id: _, ...named } = call
  expect(contentOf(created, done(named), completed)).toMatchObject([{ id: 'fc_1' }])
})

test('calls that an account gives one id are told apart, alike in a stream and as a whole', () => {
  const items = [0, 1, 2].map((at) => ({ ...call, id: `fc_${at}`, arguments: `{"at":${at}}` }))
  const streamed = contentOf(
    created,
    ...items.flatMap((item, at) => [added({ ...item, arguments: '' }, at), done(item, at)]),
    { ...completed, response: { ...completed.response, output: items } },
  )
  const ids = (streamed ?? []).map((part) => 'id' in part && part.id)
  expect(ids).toEqual(['c1', expect.stringMatching(/^call_/), expect.stringMatching(/^call_/)])
  expect(new Set(ids).size).toBe(3)
  const whole = decodedResult({ id: 'resp_1', status: 'completed', output: items })
  expect(whole).toMatchObject({ choices: [{ content: streamed }] })
})

test('calls that share an id are told apart where all of them claim the same place, too', () => {
  const items = [0, 1, 2].map((at) => ({ ...call, id: `fc_${at}` }))
  const told = contentOf(created, ...items.flatMap((item) => [added(item), done(item)]), completed)
  const ids = (told ?? []).map((part) => 'id' in part && part.id)
  expect(new Set(ids).size).toBe(3)
})

test('a tool whose name no account takes is called by the name that its client knows', () => {
  const tools = [{ kind: 'function', name: 'files/read.text' }] as const
  const [asked] = encode({ tools }).tools as { name: string }[]
  expect(asked?.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  const item = { ...call, name: asked?.name, arguments: '{}' }
  const streamed = collected([created, added(item), done(item), completed], { tools })
  expect(streamed?.choices[0]?.content).toMatchObject([{ name: 'files/read.text' }])
  const json = decodedResult({ id: 'resp_1', status: 'completed', output: [item] }, { tools })
  expect(json).toMatchObject({ choices: [{ content: [{ name: 'files/read.text' }] }] })
})
