import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { writeJson } from '../src/lib/json/write.ts'
import { run } from '../src/lib/turns.ts'

test('what is written in pieces is what JSON.stringify writes', () => {
  const property = fc.property(fc.jsonValue({ maxDepth: 14 }), (one) => {
    const value = { one, none: undefined, list: [undefined, NaN, [], {}, one] }
    expect(String(run(writeJson(value)))).toBe(JSON.stringify(value))
  })
  fc.assert(property)
})

test.each(['a', '😀', '\\', '"', '\n'])(
  'a long text of %j is written as JSON.stringify writes it',
  (unit) => {
    for (const shift of ['', 'a']) {
      const value = { text: shift + unit.repeat(1_100_000 / unit.length) }
      const work = writeJson(value)
      expect(work.next().done).toBe(false)
      expect(String(run(writeJson(value))) === JSON.stringify(value)).toBe(true)
    }
  },
)
