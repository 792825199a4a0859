import { expect, test } from 'vitest'

import {
  added,
  completed,
  contentOf,
  created,
  done,
  hello,
  helloItem,
  message,
  say,
} from './account-wire.ts'
import { decodedEvents } from './codec.ts'

test('the six events of the contract make a text', () => {
  const part = {
    type: 'response.content_part.added',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    part: {},
  }
  const whole = {
    type: 'response.output_text.done',
    output_index: 0,
    content_index: 0,
    text: 'Hello',
  }
  expect(contentOf(created, added(message), part, say('Hel'), say('lo'), whole, completed)).toEqual(
    hello,
  )
})

test('a text at a place out of all bounds is read', () => {
  const far = { ...say('Hello'), content_index: 1_000_000_000 }
  expect(contentOf(created, added(message), far, done(message), completed)).toEqual(hello)
})

test('a text ends with its part, before what comes next begins', () => {
  const part = { type: 'output_text', text: 'Hello' }
  const ended = { type: 'response.content_part.done', output_index: 0, content_index: 0, part }
  const next = { ...say('again'), content_index: 1 }
  const types = decodedEvents([created, added(message), say('Hello'), ended, next]).map(
    ({ type }) => type,
  )
  expect(types).toEqual(['start', 'part', 'delta', 'end', 'part', 'delta'])
})

test('the neutral order is kept', () => {
  expect(decodedEvents([created, added(message), say('Hello'), done(message), completed])).toEqual([
    { type: 'start', id: 'resp_1', model: 'gpt-5' },
    { type: 'part', index: 0, choice: 0, part: { type: 'text' } },
    { type: 'delta', index: 0, text: 'Hello' },
    { type: 'end', index: 0 },
    { type: 'stop', choice: 0, stop: { reason: 'stop', raw: 'completed' } },
    { type: 'finish', usage: {} },
  ])
})

test.each([
  ['created twice', [created, created, added(message), say('Hello'), completed]],
  ['an item added twice', [created, added(message), added(message), say('Hello'), completed]],
  [
    'an item added again in the middle',
    [created, added(message), say('Hel'), added(message), say('lo'), completed],
  ],
  [
    'more of an item that has ended',
    [created, added(message), say('Hello'), done(message), say('!'), completed],
  ],
  [
    'other ids and places at the end',
    [
      created,
      added(message, 3),
      say('Hello', 3),
      { ...completed, response: { output: [{ ...helloItem, id: 'z' }] } },
    ],
  ],
  [
    'the rest of a text at the end only, at another place',
    [
      created,
      added(message, 3),
      say('Hel', 3),
      { ...completed, response: { output: [helloItem] } },
    ],
  ],
  ['an item never added', [created, say('Hello'), completed]],
  ['no created', [added(message), say('Hello'), completed]],
  ['empty deltas', [created, added(message), say(''), say('Hello'), say(''), completed]],
  ['nothing but the whole item', [created, done(helloItem), completed]],
  [
    'nothing but the whole response',
    [
      {
        ...completed,
        response: { output: [helloItem] },
      },
    ],
  ],
  [
    'the end of the text in the whole only',
    [created, added(message), say('Hel'), done(helloItem), completed],
  ],
  [
    'events of unknown types',
    [created, { type: 'ping' }, added(message), { type: 'response.odd' }, say('Hello'), completed],
  ],
  [
    'an id that changes with every event',
    [
      created,
      added({ ...message, id: 'x' }),
      say('Hello'),
      done({ ...message, id: 'y', content: [{ type: 'output_text', text: 'Hello' }] }),
      {
        ...completed,
        response: {
          output: [{ ...message, id: 'z', content: [{ type: 'output_text', text: 'Hello' }] }],
        },
      },
    ],
  ],
  ['more after the end', [created, added(message), say('Hello'), completed, say('!'), completed]],
  ['a place that does not begin at 0', [created, added(message, 3), say('Hello', 3), completed]],
  [
    'null where nothing is',
    [
      created,
      added({ ...message, content: null }),
      { ...say('Hello'), logprobs: null },
      {
        ...completed,
        response: { output: null, usage: null, error: null, incomplete_details: null },
      },
    ],
  ],
])('a provider that sends %s is understood', (_, events) => {
  expect(contentOf(...events)).toEqual(hello)
})
