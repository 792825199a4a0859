import { expect, test } from 'vitest'

import { readRetryAfter } from '../../src/upstream/failure.ts'

test.each([
  { headers: { 'retry-after': '2' }, milliseconds: 2_000 },
  { headers: { 'retry-after': '0' }, milliseconds: 0 },
  { headers: { 'retry-after': '1.5' }, milliseconds: 1_500 },
  { headers: { 'retry-after-ms': '250' }, milliseconds: 250 },
  { headers: { 'retry-after-ms': '250', 'retry-after': '9' }, milliseconds: 250 },
  { headers: { 'retry-after-ms': 'soon', 'retry-after': '9' }, milliseconds: 9_000 },
  { headers: { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, milliseconds: 0 },
  { headers: { 'retry-after': 'soon' }, milliseconds: undefined },
  { headers: { 'retry-after': '' }, milliseconds: undefined },
  { headers: {}, milliseconds: undefined },
])('an account with $headers wants to be left alone for $milliseconds ms', (row) => {
  expect(readRetryAfter(row.headers as Record<string, string>)).toBe(row.milliseconds)
})

test('an account may name the time of day from which on it works again', () => {
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()

  const milliseconds = readRetryAfter({ 'retry-after': inAMinute })

  expect(milliseconds).toBeGreaterThan(50_000)
  expect(milliseconds).toBeLessThanOrEqual(60_000)
})
