import { expect, test } from 'vitest'

import { overlap } from '../../src/accounts/patterns.ts'

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
