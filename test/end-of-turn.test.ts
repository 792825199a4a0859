import { setImmediate as nextTurn } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { atEndOfTurn } from '../src/lib/turns.ts'

test('work runs together at the end of the turn that it came in, in its order', async () => {
  const ran: string[] = []
  atEndOfTurn(() => ran.push('first'))
  await Promise.resolve()
  atEndOfTurn(() => ran.push('second'))
  expect(ran).toEqual([])
  await nextTurn()
  expect(ran).toEqual(['first', 'second'])
})

test('work that comes while such work runs has the next turn', async () => {
  const ran: string[] = []
  atEndOfTurn(() => {
    ran.push('first')
    atEndOfTurn(() => ran.push('later'))
    ran.push('end of the first')
  })
  await nextTurn()
  expect(ran.slice(0, 2)).toEqual(['first', 'end of the first'])
  await nextTurn()
  expect(ran).toEqual(['first', 'end of the first', 'later'])
})
