import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Cut, Said, SaidCall, SaidUsage } from './accounts/index.ts'

const words = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('data: [DONE]\n\n', 'a\r\nb\u2028c', '{"type":"message_stop"}', '</think>'),
)

const input = fc
  .dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)

const calls: Arbitrary<SaidCall[]> = fc
  .array(fc.record({ name: fc.constantFrom('look', 'hear'), input }), { maxLength: 3 })
  .map((all) => all.map((call, index) => ({ id: `call_${index}`, ...call })))

const usage: Arbitrary<SaidUsage> = fc
  .tuple(fc.nat(500), fc.nat(500), fc.nat(100), fc.nat(100))
  .map(([fresh, visible, cached, reasoning]) => ({
    input: fresh + cached,
    output: visible + reasoning,
    cached,
    reasoning,
  }))

/** Anything that an account of every dialect can say. */
export const anySaid: Arbitrary<Said> = fc
  .record({
    thoughts: words,
    text: words,
    calls,
    ending: fc.constantFrom('done', 'done', 'length', 'filtered'),
    usage: fc.option(usage, { nil: undefined }),
  })
  .map(({ usage, ...said }) => ({ ...said, ...(usage && { usage }) }))

/** Pieces of no more than so many characters, which no character is torn by. */
export const anyCut: Arbitrary<Cut> = fc
  .integer({ min: 1, max: 24 })
  .map((size) => (text) => text.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? [])
