import { expect, test } from 'vitest'

import { createSemaphore } from '../src/lib/semaphore.ts'
import { nextTurn, runInTurns } from '../src/lib/turns.ts'

const { signal: never } = new AbortController()

test('owners that wait for a slot take turns, and the tasks of each keep their order', async () => {
  const slots = createSemaphore(1)
  const served: string[] = []
  const held = await slots.take(never)
  const tasks = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map(async (name) => {
    using _slot = await slots.take(never, name[0])
    served.push(name)
  })
  held[Symbol.dispose]()
  await Promise.all(tasks)
  expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('an owner gets no more than its share of the slots, and others find one', async () => {
  const slots = createSemaphore(3, 2)
  const served: string[] = []
  const take = async (name: string) => {
    const slot = await slots.take(never, name[0])
    served.push(name)
    return slot
  }
  const [first] = await Promise.all([take('a1'), take('a2')])
  const third = take('a3')
  await take('b1')
  expect(served).toEqual(['a1', 'a2', 'b1'])
  first[Symbol.dispose]()
  await third
  expect(served).toEqual(['a1', 'a2', 'b1', 'a3'])
})

test('one that stops waiting is passed over', async () => {
  const slots = createSemaphore(1)
  const leaving = new AbortController()
  const held = await slots.take(never)
  const left = slots.take(leaving.signal, 'a')
  const next = slots.take(never, 'b')
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  held[Symbol.dispose]()
  await next
})

test('owners take turns of the event loop, however much work each has', async () => {
  const served: string[] = []
  const works = ['a', 'a', 'a', 'b', 'c'].map(async (owner) => {
    await nextTurn(owner)
    served.push(owner)
  })
  await Promise.all(works)
  expect(served).toEqual(['a', 'b', 'c', 'a', 'a'])
})

test('work whose signal aborts ends at its next turn', async () => {
  const leaving = new AbortController()
  let steps = 0
  function* endless() {
    for (;;) {
      const until = performance.now() + 2
      while (performance.now() < until);
      if (++steps === 20) leaving.abort(new Error('left'))
      yield
    }
  }
  await expect(runInTurns(endless(), { signal: leaving.signal })).rejects.toThrow('left')
  expect(steps).toBeLessThan(40)
})
