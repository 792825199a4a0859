import { setImmediate as immediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { atEndOfTurn, nextTurn } from '../src/lib/turns.ts'

test('work runs together at the end of the turn that it came in, in its order', async () => {
  const ran: string[] = []
  atEndOfTurn(() => ran.push('first'))
  await Promise.resolve()
  atEndOfTurn(() => ran.push('second'))
  expect(ran).toEqual([])
  await immediate()
  expect(ran).toEqual(['first', 'second'])
})

test('work that comes while such work runs has the next turn', async () => {
  const ran: string[] = []
  atEndOfTurn(() => {
    ran.push('first')
    atEndOfTurn(() => ran.push('later'))
    ran.push('end of the first')
  })
  await immediate()
  expect(ran.slice(0, 2)).toEqual(['first', 'end of the first'])
  await immediate()
  expect(ran).toEqual(['first', 'end of the first', 'later'])
})

test('it runs before the long work that has the same turn: an answer that is ready does not wait for another call', async () => {
  const ran: string[] = []
  const first = nextTurn().then(() => {
    ran.push('first')
    // It is due when this work ends: its turn is the turn of the second.
    setTimeout(() => atEndOfTurn(() => ran.push('answer')), 1)
    for (const until = performance.now() + 5; performance.now() < until;);
  })
  const second = nextTurn().then(() => ran.push('second'))
  await Promise.all([first, second])
  expect(ran).toEqual(['first', 'answer', 'second'])
})

test('work that takes long gives way to other events, and goes on in its order', async () => {
  const ran: string[] = []
  atEndOfTurn(() => {
    ran.push('long')
    atEndOfTurn(() => ran.push('later'))
    for (const until = performance.now() + 60; performance.now() < until;);
  })
  atEndOfTurn(() => ran.push('second'))
  setImmediate(() => ran.push('another event'))
  await immediate()
  await immediate()
  expect(ran).toEqual(['long', 'another event', 'second', 'later'])
})
