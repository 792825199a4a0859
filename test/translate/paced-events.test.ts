import { expect, test } from 'vitest'

import type { GenerateEvent } from '../../src/generate/events.ts'
import { PacedEvents } from '../../src/translate/paced-events.ts'

const turn = 256 * 1024

/** What passes, by the turns of the event loop in which it does. */
function pace(events: readonly GenerateEvent[]): GenerateEvent[][] {
  const turns: GenerateEvent[][] = [[]]
  const paced = new PacedEvents((event) => void turns.at(-1)!.push(event))
  paced.beginTurn()
  for (const event of events) paced.push(event)
  while (!paced.isEmpty) {
    turns.push([])
    paced.advance()
  }
  return turns
}

function textIn(events: readonly GenerateEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('')
}

const text: GenerateEvent = { type: 'part', index: 0, choice: 0, part: { type: 'text' } }
const refusal: GenerateEvent = { type: 'part', index: 0, choice: 0, part: { type: 'refusal' } }
const delta = (said: string): GenerateEvent => ({ type: 'delta', index: 0, text: said })
const end: GenerateEvent = { type: 'end', index: 0 }

test('the events of an ordinary read of a connection pass at once', () => {
  const events = [text, ...Array.from({ length: 2_000 }, (_, at) => delta(`word ${at} `)), end]
  expect(pace(events)).toEqual([events])
})

test('thousands of calls pass in many turns, in their order', () => {
  const events = Array.from({ length: 5_000 }, (_, index): GenerateEvent[] => [
    {
      type: 'part',
      index,
      choice: 0,
      part: { type: 'tool_call', id: `c${index}`, name: 'f', kind: 'function' },
    },
    { type: 'delta', index, text: '{}' },
    { type: 'end', index },
  ]).flat()
  const turns = pace(events)
  expect(turns.length).toBeGreaterThan(10)
  expect(Math.max(...turns.map(({ length }) => length))).toBeLessThan(1_000)
  expect(turns.flat()).toEqual(events)
})

test('a long text is divided among turns, and no pair of surrogates is', () => {
  const said = `a${'😀'.repeat(turn)}`
  const turns = pace([text, delta(said), end])
  const texts = turns.flat().flatMap((event) => (event.type === 'delta' ? [event.text] : []))
  expect(texts.length).toBeGreaterThan(2)
  for (const piece of texts) {
    expect(piece.isWellFormed()).toBe(true)
    expect(piece.length).toBeLessThanOrEqual(turn)
  }
  expect(texts.join('') === said).toBe(true)
  expect(Math.max(...turns.map((events) => textIn(events).length))).toBeLessThanOrEqual(turn)
})

test('the end of a long text, which a client may get with all of it, has a turn of its own', () => {
  const turns = pace([text, delta('x'.repeat(2 * turn)), end, { type: 'finish', usage: {} }])
  expect(turns.at(-2)).toEqual([end])
  expect(turns.at(-1)).toEqual([{ type: 'finish', usage: {} }])
})

test.each([
  ['a refusal', refusal, delta('x'.repeat(2 * turn))],
  [
    'a text with the probabilities of its tokens',
    text,
    { ...delta('x'.repeat(2 * turn)), logprobs: [] },
  ],
])('%s passes whole', (_, part, whole) => {
  expect(pace([part, whole, end]).flat()).toEqual([part, whole, end])
})

test('the next read of a connection has a turn for itself, unless events are held', () => {
  const passed: GenerateEvent[] = []
  const paced = new PacedEvents((event) => void passed.push(event))
  for (let read = 0; read < 3; read++) {
    paced.beginTurn()
    paced.push(delta('x'.repeat(turn - 100)))
    expect(paced.isEmpty).toBe(true)
  }
  for (const letter of 'yz') paced.push(delta(letter.repeat(turn - 1_000)))
  paced.beginTurn()
  paced.push(delta('behind'))
  expect(textIn(passed)).not.toMatch(/[yzb]/)
  paced.advance()
  paced.push(delta('last'))
  expect(textIn(passed)).toMatch(/y$/)
  paced.clear()
  expect(paced.isEmpty).toBe(true)
})
