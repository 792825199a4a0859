import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from './daily-rows.ts'
import {
  type ByteRange,
  decodeString,
  eachElement,
  eachMember,
  findMember,
  skipJsonSpace,
  skipSpace,
} from '../src/lib/json/scan.ts'
import { objectText, otherMembers, stringText, valueText } from './exactness/json-text.ts'

const prefix = ' \n'

test('members are found where they stand, in order, twice where they stand twice', () => {
  fc.assert(
    fc.property(otherMembers([]), valueText, (members, rest) => {
      const bytes = Buffer.from(`${prefix}${objectText(members)} ,${rest}`)
      const found: { key: string; value: string }[] = []
      eachMember(bytes, 0, (key, value) => {
        found.push({ key: slice(bytes, key), value: slice(bytes, value) })
      })
      expect(found).toEqual(members.map(({ key, value }) => ({ key, value })))
    }),
  )
})

test('elements are found where they stand, in order', () => {
  fc.assert(
    fc.property(fc.array(valueText), valueText, (elements, rest) => {
      const bytes = Buffer.from(`${prefix}[ ${elements.join(' ,\t')}\n],${rest}`)
      const found: string[] = []
      eachElement(bytes, 0, (element) => found.push(slice(bytes, element)))
      expect(found).toEqual(elements)
    }),
  )
})

test('a string is decoded as JSON.parse decodes it', () => {
  fc.assert(
    fc.property(stringText, (text) => {
      const bytes = Buffer.from(`[${text}]`)
      const range = { start: 1, end: bytes.length - 1 }
      expect(decodeString(bytes, range)).toBe(JSON.parse(text))
    }),
  )
})

test('the member that is found is the one that JSON.parse keeps', () => {
  fc.assert(
    fc.property(otherMembers(['__proto__']), (members) => {
      const bytes = Buffer.from(objectText(members))
      const parsed = JSON.parse(bytes.toString()) as Record<string, unknown>
      for (const [name, value] of Object.entries(parsed)) {
        const range = findMember(bytes, 0, name)
        expect(range && JSON.parse(slice(bytes, range))).toEqual(value)
      }
      expect(findMember(bytes, 0, 'nobody has this')).toBeUndefined()
    }),
  )
})

test('what is no object has no members, and what is no array no elements', () => {
  fc.assert(
    fc.property(valueText, (text) => {
      const visited: ByteRange[] = []
      const bytes = Buffer.from(text)
      if (!text.startsWith('{')) eachMember(bytes, 0, (key) => visited.push(key))
      if (!text.startsWith('[')) eachElement(bytes, 0, (element) => visited.push(element))
      expect(visited).toEqual([])
    }),
  )
})

function slice(bytes: Buffer, { start, end }: ByteRange): string {
  return bytes.toString('utf8', start, end)
}

test('white space ends where another byte stands, however long it is and wherever it begins', () => {
  const blank = fc.constantFrom(0x20, 0x09, 0x0a, 0x0d)
  const other = fc.constantFrom(0x21, 0x7d, 0x80, 0xa0, 0xff)
  const length = fc.integer({ min: 0, max: 200 })
  fc.assert(
    fc.property(blank, blank, length, length, fc.option(other), (one, two, from, count, end) => {
      const blanks = Buffer.alloc(count, Buffer.from([one, two]))
      const behind = end === null ? [] : [end, one, one, one, one]
      const bytes = Buffer.concat([Buffer.alloc(from, 'a'), blanks, Buffer.from(behind)])
      expect(skipSpace(bytes, from)).toBe(from + count)
      expect(skipJsonSpace(bytes, from)).toBe(from + count)
    }),
    { numRuns: dailySteps(2_000) },
  )
})

test('a character of control within white space is no white space of JSON', () => {
  for (let place = 0; place < 100; place++) {
    const bytes = Buffer.alloc(100, ' ')
    bytes[place] = 0x0b
    expect(skipJsonSpace(bytes, 0)).toBe(place)
    expect(skipSpace(bytes, 0)).toBe(100)
  }
})
