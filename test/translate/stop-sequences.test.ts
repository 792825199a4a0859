import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
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

/** The plain way: looks through all of the text that is not told after each piece. */
function readPlainly(sequences: string[], pieces: string[]) {
  const longest = Math.max(...sequences.map(({ length }) => length))
  const deltas: string[] = []
  let buffered = ''
  for (const piece of pieces) {
    buffered += piece
    const starts = sequences.map((sequence) => buffered.indexOf(sequence))
    const found = starts.filter((at) => at >= 0).toSorted((one, other) => one - other)[0]
    const ends = Array.from({ length: Math.min(buffered.length, longest - 1) }, (_, at) => at + 1)
    const kept = ends.findLast((end) =>
      sequences.some((one) => one.startsWith(buffered.slice(-end))),
    )
    const length = found ?? buffered.length - (kept ?? 0)
    if (length > 0) deltas.push(buffered.slice(0, length))
    if (found !== undefined) return { deltas, sequence: sequences[starts.indexOf(found)] }
    buffered = buffered.slice(length)
  }
  return { deltas: buffered ? [...deltas, buffered] : deltas, sequence: undefined }
}

const short = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 })

test('every text is cut, and told as soon, as by looking through all of it', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 }), {
    maxLength: 12,
  })
  const sequences = fc.array(short, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(sequences, texts, (wanted, pieces) => {
      const { deltas, stop } = read(wanted, ...pieces.map((piece) => [piece]))
      const plain = readPlainly(wanted, pieces)
      expect(deltas.map(([text]) => text)).toEqual(plain.deltas)
      expect(stop?.sequence).toBe(plain.sequence)
    }),
    { numRuns: dailySteps(2_000) },
  )
})

test('a token behind one that is longer than its text goes with its own', () => {
  const told: GenerateEvent[] = []
  const stops = new StopSequences(['ZZ'])
  const half = token(String.raw`bytes:\xe2\x82`)
  const push = (event: GenerateEvent) => stops.map(event, (one) => told.push(one))
  push({ type: 'part', index: 0, choice: 0, part: { type: 'text' } })
  push({ type: 'delta', index: 0, text: '€Z', logprobs: [half, token('Z')] })
  push({ type: 'delta', index: 0, text: 'bZ', logprobs: [token('b'), token('Z')] })
  expect(told.slice(1)).toEqual([
    { type: 'delta', index: 0, text: '€', logprobs: [half] },
    { type: 'delta', index: 0, text: 'Zb', logprobs: [token('Z'), token('b')] },
  ])
})
