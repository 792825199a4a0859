import { expect, test } from 'vitest'

import { TextMap, TextSet, keyOf } from '../src/lib/text-map.ts'

const long = (middle: string) => 'a'.repeat(9_000) + middle + 'b'.repeat(9_000)

test('texts are told apart wherever they differ', () => {
  const texts = [
    '',
    'a',
    long(''),
    long('x'),
    long('y'),
    long('\ud800'),
    long('\udbff'),
    long('\ufffd'),
  ]

  const set = new TextSet(texts)
  const map = new TextMap(texts.map((text, at) => [text, at]))

  expect(set.size).toBe(texts.length)
  expect(texts.map((text) => map.get(text))).toEqual(texts.map((_, at) => at))
  expect(set.has(long('z'))).toBe(false)
  expect(map.has(long('z'))).toBe(false)
})

test('a long text is found and removed by another string with the same characters', () => {
  const set = new TextSet([long('x')])
  const map = new TextMap([[long('x'), 1]])

  expect(set.has(long('x'))).toBe(true)
  expect(set.delete(long('x'))).toBe(true)
  expect(map.delete(long('x'))).toBe(true)
  expect([set.size, map.size]).toEqual([0, 0])
})

test('short texts and other values are keys themselves', () => {
  for (const value of ['', 'a', 'a'.repeat(8_192), 1, undefined]) expect(keyOf(value)).toBe(value)
  expect(keyOf(long('')).length).toBeLessThan(100)
})
