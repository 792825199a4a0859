import { expect, test } from 'vitest'

import type { TokenLogprob } from '../../src/generate/content.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import { StopSequences } from '../../src/translate/stop-sequences.ts'

const token = (text: string): TokenLogprob => ({ token: text, logprob: -0.5, top: [] })

/** What a client reads of a text that an account writes in these tokens, one event for each list. */
function read(sequences: string[], ...pieces: string[][]) {
  const told: GenerateEvent[] = []
  const stops = new StopSequences(sequences)
  const push = (event: GenerateEvent) => stops.map(event, (one) => told.push(one))
  push({ type: 'part', index: 0, choice: 0, part: { type: 'text' } })
  for (const tokens of pieces) {
    push({ type: 'delta', index: 0, text: tokens.join(''), logprobs: tokens.map(token) })
  }
  push({ type: 'end', index: 0 })
  push({ type: 'stop', choice: 0, stop: { reason: 'stop' } })
  const deltas = told.filter((event) => event.type === 'delta')
  return {
    text: deltas.map(({ text }) => text).join(''),
    tokens: deltas.flatMap(({ logprobs = [] }) => logprobs.map((one) => one.token)),
    stop: told.find((event) => event.type === 'stop')?.stop,
    deltas: deltas.map(({ text, logprobs = [] }) => [text, logprobs.map((one) => one.token)]),
  }
}

test('a client whose stop sequence never comes reads what is known of every token', () => {
  expect(read(['ZZZ'], ['Hel', 'lo'], [' there'])).toMatchObject({
    text: 'Hello there',
    tokens: ['Hel', 'lo', ' there'],
  })
})

test('a client whose stop sequence comes reads of the tokens before it', () => {
  expect(read(['STOP'], ['One', ' two', 'ST'], ['OP', ' three'], [' four'])).toEqual({
    text: 'One two',
    tokens: ['One', ' two'],
    stop: { reason: 'stop', sequence: 'STOP' },
    deltas: [['One two', ['One', ' two']]],
  })
})

test('what is known of a token goes with the text in which it begins, as soon as that is told', () => {
  expect(read(['ZZ'], ['a', 'bZ'], ['c'], ['dZ', 'Z']).deltas).toEqual([
    ['ab', ['a', 'bZ']],
    ['Zc', ['c']],
    ['d', ['dZ']],
  ])
})

test('what could have become a stop sequence is told at the end, with its tokens', () => {
  expect(read(['ZZ'], ['ab', 'Z']).deltas).toEqual([
    ['ab', ['ab']],
    ['Z', ['Z']],
  ])
})

test('tokens that are longer than their text go with it all the same', () => {
  const told: GenerateEvent[] = []
  const stops = new StopSequences(['ZZ'])
  const half = token(String.raw`bytes:\xe2\x82`)
  stops.map({ type: 'part', index: 0, choice: 0, part: { type: 'text' } }, () => {})
  const delta = { type: 'delta', index: 0, text: '€', logprobs: [half, token('€')] } as const
  stops.map(delta, (event) => told.push(event))
  expect(told).toEqual([delta])
})

test('a text of which no tokens are known is told without any', () => {
  const told: GenerateEvent[] = []
  const stops = new StopSequences(['ZZ'])
  stops.map({ type: 'part', index: 0, choice: 0, part: { type: 'text' } }, () => {})
  stops.map({ type: 'delta', index: 0, text: 'Hello' }, (event) => told.push(event))
  expect(told).toEqual([{ type: 'delta', index: 0, text: 'Hello' }])
})
