import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type ByteEdit, applyEdits, removeElements, removeMember } from '../src/lib/json/edit.ts'
import { type ByteRange, eachElement } from '../src/lib/json/scan.ts'
import { objectText, otherMembers, valueText } from './exactness/json-text.ts'

test('without an edit the very same bytes go out', () => {
  const bytes = Buffer.from('{"a": 1.0e5}')
  expect(applyEdits(bytes, [])).toBe(bytes)
})

test('edits replace their ranges and nothing else, in whatever order they are given', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string(), fc.string())), (parts) => {
      const edits: ByteEdit[] = []
      let text = ''
      for (const [kept, old, replacement] of parts) {
        const start = Buffer.byteLength(text + kept)
        edits.unshift({ start, end: start + Buffer.byteLength(old), text: replacement })
        text += kept + old
      }
      const wanted = parts.map(([kept, , replacement]) => kept + replacement).join('')
      fc.pre(distinct(edits))
      expect(applyEdits(Buffer.from(text), edits).toString()).toBe(wanted)
    }),
  )
})

test('a removed member is gone, every time it stands there, and the others are as they were', () => {
  fc.assert(
    fc.property(otherMembers([]), fc.constantFrom('a', 'b', 'model'), (members, name) => {
      const before = `[0, ${objectText(members)} , 1]`
      const bytes = Buffer.from(before)
      const start = 4
      const object = { start, end: bytes.length - 5 }
      const after = applyEdits(bytes, removeMember(bytes, object, name)).toString()
      const kept = members.filter(({ key }) => JSON.parse(key) !== name)
      expect(JSON.parse(after)).toEqual([0, JSON.parse(objectText(kept)), 1])
      for (const { key, value } of kept) {
        expect(after).toContain(key)
        expect(after).toContain(value)
      }
    }),
  )
})

test('removed elements are gone with their commas', () => {
  const withDoom = fc.array(fc.tuple(valueText, fc.boolean()), { minLength: 1 })
  fc.assert(
    fc.property(withDoom, (elements) => {
      const bytes = Buffer.from(`[ ${elements.map(([text]) => text).join(' , ')} ]`)
      const ranges: ByteRange[] = []
      eachElement(bytes, 0, (element) => ranges.push(element))
      const doomed = new Set(ranges.filter((_, index) => elements[index]?.[1]))
      const edits = removeElements({ start: 0, end: bytes.length }, ranges, doomed, '"none"')
      const kept = elements.filter(([, isDoomed]) => !isDoomed).map(([text]) => text)
      const wanted = kept.length === 0 ? ['none'] : (JSON.parse(`[${kept.join(',')}]`) as unknown)
      expect(JSON.parse(applyEdits(bytes, edits).toString())).toEqual(wanted)
    }),
  )
})

/** Two edits at one place have no order. */
function distinct(edits: readonly ByteEdit[]): boolean {
  return new Set(edits.map(({ start }) => start)).size === edits.length
}
