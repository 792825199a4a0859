import { expect, test } from 'vitest'

import type { GenerateEvent, PartHead } from '../../../src/generate/events.ts'
import { SignatureCollector } from '../../../src/translate/signature-collector.ts'

const thought = { type: 'reasoning', form: 'summary' } as const
const call = (id: string) => ({ type: 'tool_call', id, name: 'f', kind: 'function' }) as const
const called = (id: string, input = '') => ({ id, name: 'f', arguments: input })
const mine = { dialect: 'messages', value: 'sig' }

/** The events of one part. */
function part(index: number, head: PartHead, text = '', isSigned = false, choice = 0) {
  const events: GenerateEvent[] = [{ type: 'part', index, choice, part: head }]
  if (text !== '') events.push({ type: 'delta', index, text })
  if (isSigned) events.push({ type: 'signature', index, signature: mine })
  return [...events, { type: 'end', index } as const]
}

function callsIn(...events: GenerateEvent[]) {
  const collector = new SignatureCollector()
  for (const event of events) collector.push(event)
  return collector.calls
}

const signedThought = (text: string) => ({ ...thought, text, signature: mine })

test('what was thought before several calls is kept with the first', () => {
  expect(
    callsIn(
      ...part(0, thought, 'Hm.', true),
      ...part(1, { type: 'text' }, 'I look.'),
      ...part(2, call('a')),
      ...part(3, call('b')),
    ),
  ).toEqual([{ call: called('a'), reasoning: [signedThought('Hm.')] }])
})

test('what was thought between calls is kept with the call that follows', () => {
  const kept = callsIn(
    ...part(0, thought, 'One.', true),
    ...part(1, call('a')),
    ...part(2, thought, 'Two.', true),
    ...part(3, call('b')),
  )
  expect(kept.map(({ call: { id }, reasoning }) => [id, reasoning])).toEqual([
    ['a', [signedThought('One.')]],
    ['b', [signedThought('Two.')]],
  ])
})

test('a call that is signed itself is kept without thoughts that nobody signed', () => {
  expect(callsIn(...part(0, thought, 'Hm.'), ...part(1, call('a'), '{}', true))).toEqual([
    { call: called('a', '{}'), reasoning: [], signature: mine },
  ])
})

test('a summary without a signature stays with the thought that it summarises', () => {
  const raw = { type: 'reasoning', form: 'raw' } as const
  const [kept] = callsIn(
    ...part(0, thought, 'In short.'),
    ...part(1, raw, 'At length.', true),
    ...part(2, call('a')),
  )
  expect(kept?.reasoning).toEqual([
    { ...thought, text: 'In short.' },
    { ...raw, text: 'At length.', signature: mine },
  ])
})

test('answers to one question keep their thoughts apart', () => {
  const kept = callsIn(
    ...part(0, thought, 'First.', true, 0),
    ...part(1, thought, 'Second.', true, 1),
    ...part(2, call('b'), '{}', false, 1),
    ...part(3, call('a'), '{}', false, 0),
  )
  expect(kept.map(({ call: { id }, reasoning }) => [id, reasoning[0]?.text])).toEqual([
    ['b', 'Second.'],
    ['a', 'First.'],
  ])
})

test('nothing is kept of what nobody signed, nor of thoughts that led to no call', () => {
  expect(callsIn(...part(0, thought, 'Hm.'), ...part(1, call('a')))).toEqual([])
  expect(callsIn(...part(0, thought, 'Hm.', true), ...part(1, { type: 'text' }, 'So.'))).toEqual([])
})

test('what is called is kept with the call, in as many pieces as it came', () => {
  const [begun, ...end] = part(0, call('a'), '{"city"', true)
  const more = { type: 'delta', index: 0, text: ':"Bern"}' } as const
  const [kept] = callsIn(begun!, end[0]!, more, ...end.slice(1))
  expect(kept?.call).toEqual(called('a', '{"city":"Bern"}'))
})
