import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'

import { TextPositions } from '../../../plugins/dialects/generate/codec/text-positions.ts'
import type { GatewayError } from '../../../src/contract/errors.ts'
import type { Citation } from '../../../src/generate/content.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { chunksIn, read, readEvents, write } from './codec.ts'

/** Pieces of texts in all lengths of UTF-8, and halves of a pair. */
const pieces = fc.constantFrom('a', 'é', 'я', '€', '👍', '\ud83d', '\udc4d', '\u0000')
const texts = fc
  .tuple(fc.array(pieces, { maxLength: 40 }), fc.constantFrom(1, 1, 40))
  .map(([list, times]) => list.join('').repeat(times))
const positions = fc.array(
  fc.oneof(fc.integer(), fc.integer({ min: -20, max: 4_000 }), fc.double({ noNaN: true })),
)

test('positions are those of the bytes themselves, in any order', () => {
  fc.assert(
    fc.property(texts, positions, (text, list) => {
      const table = new TextPositions(text)
      for (const at of list) {
        const head = Buffer.from(text).subarray(0, Math.max(0, at)).toString()
        expect(table.unitsIn(at)).toBe(head.length)
        expect(table.bytesIn(at)).toBe(Buffer.byteLength(text.slice(0, at)))
      }
    }),
    { numRuns: 500 },
  )
})

test('a block of the table may end within a character', () => {
  const text = `a${'👍'.repeat(700)}`
  const table = new TextPositions(text)
  const bytes = Buffer.from(text)
  for (let at = 0; at <= bytes.length; at++) {
    expect(table.unitsIn(at)).toBe(bytes.subarray(0, at).toString().length)
    expect(table.bytesIn(at)).toBe(Buffer.byteLength(text.slice(0, at)))
  }
})

const count = 2_000
const text = 'é'.repeat(10_000)
const segment = (at: number) => ({ startIndex: 2 * at, endIndex: 2 * at + 10 })

function grounded(web: JsonObject, supports: readonly JsonObject[], said = text): JsonObject {
  const groundingMetadata = { groundingChunks: [{ web }], groundingSupports: supports }
  const content = { role: 'model', parts: [{ text: said }] }
  return { candidates: [{ content, finishReason: 'STOP', groundingMetadata }] }
}

const supportsOf = (length: number) =>
  Array.from({ length }, (_, at) => ({ segment: segment(at), groundingChunkIndices: [0] }))

function citationsOf(reply: JsonObject): Citation[] {
  return readEvents([reply]).flatMap((event) => (event.type === 'citation' ? [event.citation] : []))
}

/** The times that a work encodes the text, or counts its bytes. */
function passesIn(work: () => void): number {
  const spies = [vi.spyOn(Buffer, 'from'), vi.spyOn(Buffer, 'byteLength')]
  try {
    work()
    return spies.flatMap(({ mock }) => mock.calls as unknown[][]).filter(([one]) => isLong(one))
      .length
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > 100
}

test('many sources of a long text take one pass over it', () => {
  const reply = grounded({ uri: 'https://a.test' }, supportsOf(count))
  let citations: Citation[] = []
  const passes = passesIn(() => (citations = citationsOf(reply)))
  expect(citations).toHaveLength(count)
  expect(citations.at(-1)).toEqual({ url: 'https://a.test', start: count - 1, end: count + 4 })
  expect(passes).toBe(1)
})

test('many citations of a long text are written in one pass over it', () => {
  const events = readEvents([grounded({ uri: 'https://a.test' }, supportsOf(count))])
  let frames = ''
  const passes = passesIn(() => (frames = write(events)))
  const { citationMetadata } = chunksIn(frames).at(-1)!.candidates[0] as JsonObject
  const { citationSources } = citationMetadata as { citationSources: JsonObject[] }
  expect(citationSources).toHaveLength(count)
  expect(citationSources.at(-1)).toMatchObject(segment(count - 1))
  expect(passes).toBeLessThan(5)
})

test('a support that repeats a page reads it once', () => {
  let looks = 0
  const web = Object.defineProperty({}, 'uri', { get: () => (looks++, 'https://a.test') })
  const reply = grounded(web, [
    { segment: segment(0), groundingChunkIndices: Array.from({ length: 100_000 }, () => 0) },
  ])
  expect(citationsOf(reply)).toEqual([{ url: 'https://a.test', start: 0, end: 5 }])
  expect(looks).toBe(1)
})

test('a long address that is cited thousands of times is a reply that is too large', () => {
  const reply = grounded({ uri: `https://a.test/${'a'.repeat(1_000_000)}` }, supportsOf(1_000))
  const tooLarge = expect.objectContaining<Partial<GatewayError>>({
    code: 'upstream_reply_too_large',
  })
  expect(() => read(reply)).toThrow(tooLarge)
  expect(() => readEvents([reply])).toThrow(tooLarge)
})
