import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type JsonExcess,
  JsonMeasure,
  mostBareBytes,
  mostEscapes,
} from '../src/lib/json/measure.ts'
import { run } from '../src/lib/turns.ts'

const limits = { jsonDepth: 50, jsonValues: 200_000 }

function measureOf(text: string): JsonMeasure {
  return JsonMeasure.of(Buffer.from(text), limits)
}

function excessOf(text: string): JsonExcess | undefined {
  return measureOf(text).excess
}

/** The values and names of a JSON value, of which four numbers count as one. */
function valuesOf(value: unknown): number {
  if (typeof value === 'number') return 1 / 4
  if (typeof value !== 'object' || value === null) return 1
  const names = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, one) => sum + valuesOf(one), 1 + names)
}

test('values and names are counted, and a whole text is closed', () => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const { values, isClosed } = measureOf(JSON.stringify(value, null, 2))
    expect([values, isClosed]).toEqual([valuesOf(value), true])
  })
  fc.assert(property)
})

test('the ends of large values are noted, whatever escapes they contain', () => {
  for (const escape of ['\\"', '\\\\', '\\u0041', '\\ud83d\\ude00', 'é', '\\\\\\"']) {
    const text = `"${escape.repeat(100_000)}"`
    const bytes = Buffer.byteLength(text)
    const { ends } = measureOf(`{"a": [ ${text}, "b"],"c":1}`)
    if (bytes < 256 * 1024) continue
    expect([...ends]).toEqual([
      [8, 8 + bytes],
      [6, 14 + bytes],
      [0, 21 + bytes],
    ])
  }
  expect(excessOf(`["${'\\/'.repeat(8 * mostEscapes)}"]`)).toBeUndefined()
  expect(excessOf(`["${'\\/'.repeat(8 * mostEscapes + 8)}"]`)).toBe('escapes')
})

test('what stands where one piece of the work ends and the next begins is measured once', () => {
  const rest = String.raw`",{"k\"":[1,-2.5,true,"é\\",[]],"":{}}]`
  for (let before = 0; before < rest.length + 4; before++) {
    const text = `["${'a'.repeat(before)}${String.raw`\/`.repeat(2 * 1024 * 1024 - 24)}${rest}`
    const strings: number[] = []
    const measure = run(JsonMeasure.work(Buffer.from(text), limits, strings))
    const { excess, isClosed, values } = measure
    expect([excess, isClosed, values, strings.length]).toEqual([undefined, true, 10.5, 4])
  }
})

test('a string without an end counts, and leaves the text open', () => {
  const { values, isClosed, excess } = measureOf(`["${'\\\\'.repeat(300_000)}`)
  expect([values, isClosed, excess]).toEqual([2, false, undefined])
})

test('a text with more than a few long names exceeds the limits', () => {
  const members = (count: number, length: number, between = '') =>
    Array.from({ length: count }, (_, at) => `"${String(at).padStart(length, '.')}"${between}:1`)
  const body = (names: readonly string[]) =>
    `{"list":["${'x'.repeat(300_000)}"],${names.join(',')}}`

  expect(excessOf(body(members(16, 20_000)))).toBeUndefined()
  expect(excessOf(body(members(17, 20_000)))).toBe('longNames')
  expect(excessOf(body(members(17, 20_000, ' \n')))).toBe('longNames')
  expect(excessOf(`[{${members(9, 20_000).join()}},{${members(9, 20_000).join()}}]`)).toBe(
    'longNames',
  )
  expect(excessOf(body(members(500, 16_000)))).toBeUndefined()
})

test('levels, values and long numbers are counted up to their limits and no further', () => {
  expect(excessOf('['.repeat(50) + ']'.repeat(50))).toBeUndefined()
  expect(excessOf('['.repeat(51))).toBe('jsonDepth')
  expect(excessOf(`[${'true,'.repeat(limits.jsonValues - 2)}true]`)).toBeUndefined()
  expect(excessOf(`[${'true,'.repeat(limits.jsonValues - 1)}true]`)).toBe('jsonValues')
  expect(excessOf(`[${'{},'.repeat(limits.jsonValues)}`)).toBe('jsonValues')
  expect(excessOf(`[${'"",'.repeat(limits.jsonValues)}`)).toBe('jsonValues')
  expect(excessOf('1'.repeat(4_096))).toBeUndefined()
  expect(excessOf('1'.repeat(4_097))).toBe('longNumber')
  expect(excessOf(`"${'[{1,'.repeat(300_000)}"`)).toBeUndefined()
})

test('a list of numbers, such as an embedding, may be four times as long as another one', () => {
  expect(excessOf(`[${'-1.5e-3,'.repeat(4 * limits.jsonValues - 5)}1]`)).toBeUndefined()
  expect(excessOf(`[${'-1.5e-3,'.repeat(4 * limits.jsonValues)}1]`)).toBe('jsonValues')
})

test('a text has no more than a number of bytes outside of strings', () => {
  expect(excessOf(`["${' '.repeat(mostBareBytes)}"]`)).toBeUndefined()
  expect(excessOf(`[${' '.repeat(mostBareBytes - 2)}]`)).toBeUndefined()
  expect(excessOf(`[${' '.repeat(mostBareBytes)}]`)).toBe('bareBytes')
})

test('a text has no more than a number of escapes, wherever they stand', () => {
  for (const escape of [
    '\\"',
    '\\\\',
    '\\n',
    '\\ud800',
    `${'a'.repeat(30)}\\"`,
    `\\n${'a'.repeat(30)}`,
  ]) {
    const half = escape.repeat(mostEscapes / 2)
    expect(excessOf(`{"a":"${half}","b":["${half}"]}`)).toBeUndefined()
    expect(excessOf(`{"a":"${half}","b":["${half}\\n"]}`)).toBe('escapes')
    expect(excessOf(`{"a":"${half}","${half}\\n":1}`)).toBe('escapes')
  }
  expect(excessOf(`["${'\\/'.repeat(mostEscapes + 1)}"]`)).toBeUndefined()
})

test.each([
  ['equal letters', 'y'.repeat(1_200), false],
  ['words that end with letters alone', `${'word '.repeat(300)}${'Ab1'.repeat(40)}`, false],
  ['letters alone that end with words', `${'Ab1'.repeat(400)}${' word'.repeat(20)}`, false],
  ['silence', 'A'.repeat(1_200), true],
  ['a picture', `data:image/png;base64,${'iVBORw0K'.repeat(150)}=`, true],
])(
  'a long string counts as media if it looks like base64 in all of its quarters: %s',
  (_, text, isMedia) => {
    const { mediaBytes } = measureOf(JSON.stringify({ text }))
    expect(mediaBytes).toBe(isMedia ? text.length + 2 : 0)
  },
)
