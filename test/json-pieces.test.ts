import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type JsonExcess, JsonMeasure, pieceBytes } from '../src/lib/json/measure.ts'
import { parseInPieces } from '../src/lib/json/parse-pieces.ts'
import { writeJson } from '../src/lib/json/write-pieces.ts'
import { Turns } from '../src/lib/turns.ts'

const limits = { jsonDepth: 50, jsonValues: 200_000 }

async function parse(text: string | Buffer): Promise<unknown> {
  const bytes = Buffer.from(text)
  const measure = new JsonMeasure(bytes, limits)
  expect(await measure.measureInTurns(new Turns())).toBeUndefined()
  return parseInPieces(bytes, measure.ends, new Turns())
}

function excessOf(text: string): JsonExcess | undefined {
  return new JsonMeasure(Buffer.from(text), limits).measure()
}

function measureOf(text: string): JsonMeasure {
  const measure = new JsonMeasure(Buffer.from(text), limits)
  measure.measure()
  return measure
}

/** More than a piece, so that what contains it is cut. */
const long = 'x'.repeat(pieceBytes)

test('what is parsed in pieces is what JSON.parse yields', async () => {
  const property = fc.asyncProperty(fc.json(), fc.json(), async (one, other) => {
    for (const text of [
      `[${one},"${long}",${other}]`,
      ` {"a": ${one} ,"${long}":${other}, "b" :[ ${one},"${long}" , [${other}]] } `,
    ]) {
      expect(await parse(text)).toEqual(JSON.parse(text))
    }
  })
  await fc.assert(property, { numRuns: 30 })
})

test('a long string is measured in parts, wherever they are cut', async () => {
  const stride = 256 * 1024
  const escapes = ['\\"', '\\\\', '\\u0041', '\\ud83d\\ude00', 'é', '\\\\\\"']
  for (const escape of escapes) {
    for (let before = 0; before < 13; before++) {
      const content = `${'x'.repeat(before)}${escape.repeat((2.2 * stride) / escape.length)}`
      const text = `{"a":["${content}","b"],"c":"${content}"}`
      expect(await parse(text)).toEqual(JSON.parse(text))
      const [first, second] = [new JsonMeasure(Buffer.from(text), limits), measureOf(text)]
      await first.measureInTurns(new Turns())
      expect([first.values, first.ends, first.isClosed]).toEqual([7, second.ends, true])
    }
  }
})

test('a string without an end counts, wherever it is cut', async () => {
  for (const length of [10, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 600_000]) {
    const measure = new JsonMeasure(Buffer.from(`["${'\\\\'.repeat(length / 2)}`), limits)
    expect(await measure.measureInTurns(new Turns())).toBeUndefined()
    expect([measure.values, measure.isClosed]).toEqual([2, false])
  }
})

test('a text with more than a few long names exceeds the limits, also where its parts are cut', async () => {
  const members = (count: number, length: number, between = '') =>
    Array.from({ length: count }, (_, at) => `"${String(at).padStart(length, '.')}"${between}:1`)
  const body = (names: readonly string[]) => `{"list":["${long}","${long}"],${names.join(',')}}`

  expect(excessOf(body(members(16, 20_000)))).toBeUndefined()
  expect(excessOf(body(members(17, 20_000)))).toBe('longNames')
  expect(excessOf(body(members(17, 20_000, ' \n')))).toBe('longNames')
  expect(excessOf(`[{${members(9, 20_000).join()}},{${members(9, 20_000).join()}}]`)).toBe(
    'longNames',
  )
  expect(excessOf(body(members(500, 16_000)))).toBeUndefined()
  const measure = new JsonMeasure(Buffer.from(body(members(60, 20_000))), limits)
  expect(await measure.measureInTurns(new Turns())).toBe('longNames')
})

const units = [
  'a',
  '\\\\',
  '\\"',
  '\\n',
  '\\u0000',
  '\\ud83d\\ude00',
  '\\\\u0041',
  'é',
  '漢',
  '😀',
  '\\\\\\"',
]

test.each(units)('a text of %s is cut within no escape and no character', async (unit) => {
  for (const shift of ['', 'a', 'ab', 'abc', 'abcde']) {
    const text = `"${shift}${unit.repeat((2.5 * pieceBytes) / Buffer.byteLength(unit))}"`
    expect((await parse(text)) === JSON.parse(text)).toBe(true)
  }
})

test('many small elements and members are all there, in their order, the last of each name', async () => {
  const list = Array.from({ length: 60_000 }, (_, at) => `{"n":${at}}`).join(',')
  const members = Array.from({ length: 60_000 }, (_, at) => `"${at % 50_000}x": ${at}`).join(' , ')
  for (const text of [`[${list}]`, `{${members}}`]) {
    expect(JSON.stringify(await parse(text))).toBe(JSON.stringify(JSON.parse(text)))
  }
})

test('a member named __proto__ is a member, not the prototype', async () => {
  const value = (await parse(`{"__proto__":{"a":1},"b":"${long}"}`)) as object
  expect(Object.keys(value)).toEqual(['__proto__', 'b'])
  expect('a' in value).toBe(false)
})

const broken = [
  `["${long}"`,
  `["${long}",]`,
  `["${long}" 1]`,
  `["${long}"}`,
  `[,"${long}"]`,
  `{"a":"${long}",}`,
  `{"a" "${long}"}`,
  `{a:"${long}"}`,
  `{"a":"${long}" "b":1}`,
  `["${long}"] 1`,
  `"${long}`,
  `"${long}\\"`,
  `"${long}\\x"`,
  `"${long}\u0001"`,
  `["${long}",tru]`,
  `\u0001["${long}"]`,
]

test.each(broken.map((text) => [text.replaceAll(long, '...'), text]))(
  '%s is refused as JSON.parse refuses it',
  async (_, text) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    await expect(parse(text)).rejects.toThrow(SyntaxError)
  },
)

test('levels, values and long numbers are counted up to their limits and no further', () => {
  expect(excessOf('['.repeat(50) + ']'.repeat(50))).toBeUndefined()
  expect(excessOf('['.repeat(51))).toBe('jsonDepth')
  expect(excessOf(`[${'1,'.repeat(limits.jsonValues - 2)}1]`)).toBeUndefined()
  expect(excessOf(`[${'1,'.repeat(limits.jsonValues - 1)}1]`)).toBe('jsonValues')
  expect(excessOf(`[${'{},'.repeat(limits.jsonValues)}`)).toBe('jsonValues')
  expect(excessOf(`[${'"",'.repeat(limits.jsonValues)}`)).toBe('jsonValues')
  expect(excessOf('1'.repeat(4_096))).toBeUndefined()
  expect(excessOf('1'.repeat(4_097))).toBe('longNumber')
  expect(excessOf(`"${'[{1,'.repeat(300_000)}"`)).toBeUndefined()
})

test('what is written in pieces is what JSON.stringify writes', async () => {
  const property = fc.asyncProperty(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    async (one, text) => {
      const value = { one, long: [long, text.repeat(5_000)], none: undefined, [long]: one }
      expect(String(await writeJson(value)) === JSON.stringify(value)).toBe(true)
    },
  )
  await fc.assert(property, { numRuns: 30 })
})

test.each(['a', '😀', '\\', '"', '\u0000', '\ud83d', '\n'])(
  'a long text of %j is written as JSON.stringify writes it',
  async (unit) => {
    for (const shift of ['', 'a']) {
      const text = shift + unit.repeat(200_000)
      expect(String(await writeJson(text)) === JSON.stringify(text)).toBe(true)
    }
  },
)

test('many small values are written, and what has no value is left out', async () => {
  const value = {
    list: Array.from({ length: 50_000 }, (_, at) => ({ at, none: undefined })),
    not: [undefined, NaN],
  }
  expect(String(await writeJson(value)) === JSON.stringify(value)).toBe(true)
})
