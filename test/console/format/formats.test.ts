import { describe, expect, test } from 'vitest'

import { duration, remaining } from '../../../console/src/format/durations.ts'
import { money, priceOf } from '../../../console/src/format/money.ts'
import { bytes, compact, count, share, tokens } from '../../../console/src/format/numbers.ts'
import { clock, localText, momentOf, utc } from '../../../console/src/format/time.ts'

/** Each row: a value, and the text of its format. */
type Rows<Value> = readonly (readonly [Value, string])[]

describe('numbers', () => {
  test.each([
    [0, '0'],
    [1016, '1,016'],
    [1_234_567, '1,234,567'],
  ] satisfies Rows<number>)('a count of %d is %s', (value, text) => {
    expect(count(value)).toBe(text)
  })

  test.each([
    [0, '0'],
    [0.04, '0.04'],
    [0.2, '0.2'],
    [9.96, '10'],
    [751, '751'],
    [999.6, '1k'],
    [8_400, '8.4k'],
    [1_250_000, '1.3M'],
  ] satisfies Rows<number>)('%d in a chart is %s', (value, text) => {
    expect(compact(value)).toBe(text)
  })

  test('a share says what is too small, and never 0 % or 100 % for some', () => {
    expect([
      share(8, 1000),
      share(21, 100),
      share(1, 5000),
      share(0, 3),
      share(4999, 5000),
    ]).toEqual(['0.8 %', '21 %', '<0.1 %', '0 %', '>99.9 %'])
    expect(share(0, 0)).toBeUndefined()
  })

  test('unknown tokens are not 0', () => {
    expect([tokens(1, 30), tokens(null, 30), tokens(null, null)]).toEqual(['1 → 30', '– → 30', '–'])
  })

  test('sizes', () => {
    expect([bytes(512), bytes(1_400_000), bytes(999_999)]).toEqual(['512 B', '1.4 MB', '1 MB'])
  })
})

test.each([
  ['12.34', '$12.34'],
  ['0', '$0'],
  ['0.0042', '$0.0042'],
  ['0.000000001', '$0.000000001'],
  ['0.009999', '$0.01'],
  [1234.5, '$1,234.50'],
] satisfies Rows<string | number>)('%s USD read %s', (value, text) => {
  expect(money(value)).toBe(text)
})

describe('durations', () => {
  test.each([
    [0.4, '<1 ms'],
    [16, '16 ms'],
    [999.7, '1.00 s'],
    [1_280, '1.28 s'],
    [17_640, '17.6 s'],
    [59_990, '1 min'],
    [171_000, '2 min 51 s'],
    [11_040_000, '3 h 4 min'],
    [190_800_000, '2 d 5 h'],
  ] satisfies Rows<number>)('%d ms last %s', (value, text) => {
    expect(duration(value)).toBe(text)
  })

  test('what is left is whole seconds, and never less than none', () => {
    expect([remaining(57_001), remaining(171_000), remaining(-5)]).toEqual([
      '58 s',
      '2 min 51 s',
      '0 s',
    ])
  })
})

describe('times', () => {
  const at = (text: string) => new Date(text).getTime()

  test('the clock has the date only of another day, and the year only of another year', () => {
    const now = at('2026-11-29T20:50:00')
    expect(clock(at('2026-11-29T08:05:09'), now)).toBe('08:05:09')
    expect(clock(at('2026-11-28T20:49:52'), now)).toBe('28 Nov 20:49:52')
    expect(clock(at('2025-11-28T20:49:52'), now)).toBe('28 Nov 2025 20:49:52')
  })

  test('UTC has milliseconds', () => {
    expect(utc('2026-11-29T20:49:52.123Z')).toBe('2026-11-29 20:49:52.123 UTC')
  })
})

test('a moment of a form is that of its text, and a text that is none is no moment', () => {
  const at = new Date(2026, 10, 29, 7, 5, 9).toISOString()
  expect(localText(at)).toBe('2026-11-29T07:05:09')
  expect(momentOf(localText(at))).toBe(at)
  expect(momentOf('2026-11-29T07:05')).toBe(new Date(2026, 10, 29, 7, 5).toISOString())
  expect([momentOf(''), momentOf('soon')]).toEqual([undefined, undefined])
})

test.each([
  ['15', '$15.00'],
  ['0.075', '$0.075'],
  ['0.5', '$0.50'],
  ['0', '$0.00'],
  ['0.000001', '$0.000001'],
] satisfies Rows<string>)('the price %s is %s: to its last digit', (amount, text) => {
  expect(priceOf(amount)).toBe(text)
})
