import { expect, test } from 'vitest'

import { createTimedSweep } from '../../src/storage/sweep.ts'
import { until } from '../../src/testing/until.ts'

test('a sweep that takes its time is waited for', async () => {
  let atOnce = 0
  let most = 0
  let begun = 0
  const sweeping = createTimedSweep({
    everyMs: 1,
    onError: () => {},
    async sweep() {
      begun++
      most = Math.max(most, ++atOnce)
      let turns = 0
      await until(() => ++turns === 5)
      atOnce--
    },
  })
  sweeping.begin()
  await until(() => begun === 3)
  sweeping.close()
  expect(most).toBe(1)
})

test('a sweep that fails is told of, and the next one comes all the same', async () => {
  let begun = 0
  const errors: unknown[] = []
  const sweeping = createTimedSweep({
    everyMs: 1,
    onError: (error) => errors.push(error),
    sweep: () => Promise.reject(new Error(`sweep ${++begun}`)),
  })
  sweeping.begin()
  await until(() => errors.length > 1)
  sweeping.close()
  expect(errors.slice(0, 2)).toEqual([new Error('sweep 1'), new Error('sweep 2')])
})
