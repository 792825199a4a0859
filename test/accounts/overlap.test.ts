import { expect, test } from 'vitest'

import { compilePatterns, overlap } from '../../src/accounts/patterns.ts'

test.each([
  ['gpt-5', 'gpt-5', true],
  ['gpt-5', 'gpt-50', false],
  ['gpt-*', 'gpt-5', true],
  ['gpt-*', 'gpt-5*', true],
  ['gpt-*', 'claude-*', false],
  ['*', 'claude-*', true],
  ['*', '', true],
  ['gpt-*-mini', 'gpt-4.1-*', true],
  ['gpt-*-mini', 'gpt-*-max', false],
  ['*-mini', 'gpt-*', true],
  ['a*b*c', 'ab', false],
  ['a**', 'a', true],
])('%s and %s have a name in common: %s', (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected)
  expect(overlap(other, one)).toBe(expected)
})

test('long patterns of many stars take no time', () => {
  const stars = 'a*'.repeat(256)
  expect(overlap(`${stars}b`, `${stars}c`)).toBe(false)
})

test('short patterns overlap exactly where a name matches both', () => {
  const words = (letters: readonly string[], longest: number): string[] =>
    longest === 0
      ? ['']
      : ['', ...words(letters, longest - 1).flatMap((word) => letters.map((one) => word + one))]
  const names = [...new Set(words(['a', 'b'], 6))]
  const patterns = [...new Set(words(['a', 'b', '*'], 3)), 'a*b*a', '*ab*', 'b*a*', 'a*ab', 'ba*ba']
  const matched = patterns.map((pattern) => names.map(compilePatterns([pattern])))
  for (const [at, one] of patterns.entries()) {
    for (const [index, other] of patterns.entries()) {
      const isCommon = matched[at]!.some((matches, name) => matches && matched[index]![name])
      expect(`${one} ${other} ${overlap(one, other)}`).toBe(`${one} ${other} ${isCommon}`)
    }
  }
})
