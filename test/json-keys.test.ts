import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { isKey } from '../src/upstream/rename.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'M'), minLength: 0, maxLength: 4 })

/** A name as JSON, each of its letters as an escape or as itself. */
const spelled = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', 'M', '"', '\n', 'é'),
      fc.constantFrom('', 'short', 'upper', 'lower'),
    ),
    { maxLength: 4 },
  )
  .map((units) => `"${units.map(([unit, escape]) => spell(unit, escape)).join('')}"`)

function spell(unit: string, escape: string): string {
  const hex = unit.charCodeAt(0).toString(16).padStart(4, '0')
  if (escape === 'upper') return `\\u${hex.toUpperCase()}`
  if (escape === 'lower') return `\\u${hex}`
  return JSON.stringify(unit).slice(1, -1)
}

test('a key is the name that it spells, with escapes or without', () => {
  fc.assert(
    fc.property(letters, spelled, (name, text) => {
      const key = Buffer.from(JSON.stringify(name))
      const bytes = Buffer.from(`{${text}:1}`)
      const range = { start: 1, end: bytes.length - 3 }
      expect(isKey(bytes, range, key)).toBe(JSON.parse(text) === name)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['"\\u006dodel"', true],
  ['"model"', true],
  ['"\\u006Dode\\u006c"', true],
  ['"models"', false],
  ['"mode"', false],
  ['"mode\\"', false],
  ['"mode\\l"', false],
  ['"mode\\n006c"', false],
  ['"\\u00zzmodel"', false],
])('%s is the key "model": %s', (text, expected) => {
  const bytes = Buffer.from(text)
  expect(isKey(bytes, { start: 0, end: bytes.length }, Buffer.from('"model"'))).toBe(expected)
})
