import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { safeToolId, toolIdOf } from '../../../src/generate/call-ids.ts'

/** Ids as providers and clients make them, and such as nobody should. */
const anyId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.stringMatching(/^[A-Za-z0-9_-]{1,80}$/),
  fc.stringMatching(/^functions\.[a-z]{1,4}:[0-9]{1,3}$/),
)

/** Within every known limit: 40 characters, and the alphabet of the strictest. */
const safe = /^[A-Za-z0-9_-]{1,40}$/

test('every id becomes one that all dialects take, and the same one each time', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      expect(safeToolId(id)).toMatch(safe)
      expect(safeToolId(id)).toBe(safeToolId(id))
      expect(safeToolId(safeToolId(id))).toBe(safeToolId(id))
      if (safe.test(id)) expect(safeToolId(id)).toBe(id)
    }),
  )
})

test('two ids never become one', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId, { minLength: 2, maxLength: 50 }), (ids) => {
      expect(new Set(ids.map(safeToolId)).size).toBe(ids.length)
    }),
  )
  const numbered = Array.from({ length: 20_000 }, (_, index) => `functions.weather:${index}`)
  expect(new Set(numbered.map(safeToolId)).size).toBe(numbered.length)
  const long = 'x'.repeat(64)
  const near = [`${long}a`, `${long}b`, `${long}A`, long, `${long} `, 'a.b', 'a:b', 'a b', 'a/b']
  expect(new Set(near.map(safeToolId)).size).toBe(near.length)
})

test('calls without ids are told apart by where they stand', () => {
  const places = fc.array(fc.oneof(fc.string(), fc.nat()), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.uniqueArray(places, { minLength: 2, selector: JSON.stringify }), (all) => {
      const ids = all.map((facts) => toolIdOf(...facts))
      expect(new Set(ids).size).toBe(all.length)
      for (const id of ids) expect(id).toMatch(safe)
    }),
  )
})
