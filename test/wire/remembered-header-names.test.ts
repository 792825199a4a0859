import { expect, test } from 'vitest'

import { remember } from '../../src/exchange/headers.ts'

test('names of headers are decided on once, and long or many ones stay out of the memory', () => {
  const decided: string[] = []
  const passes = remember((name) => {
    decided.push(name)
    return name.startsWith('x-')
  })
  const long = `x-${'a'.repeat(16_000)}`
  const names = ['x-short', long, 'x-short', long]
  expect(names.map(passes)).toEqual([true, true, true, true])
  expect(decided).toEqual(['x-short', long, long])

  for (let at = 0; at < 1_000; at++) passes(`own-${at}`)
  decided.length = 0
  expect(['x-short', 'own-1', 'own-999', 'own-999'].map(passes)).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(decided).toEqual(['own-999', 'own-999'])
})
