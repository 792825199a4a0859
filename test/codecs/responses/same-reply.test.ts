import { expect, test } from 'vitest'

import type { GenerateResult } from '../../../src/generate/result.ts'
import { collected, decodedResult, encodedResult, written } from './codec.ts'
import { replies } from './replies.ts'

/** Ids are made anew for each reply, in the order in which they are needed. */
function withoutTime(response: unknown): unknown {
  const { completed_at: _, ...rest } = response as Record<string, unknown>
  return rest
}

test.each(Object.entries(replies))(
  '%s: the stream ends with what JSON would have been',
  (_, told) => {
    const { body } = encodedResult(told)
    expect(withoutTime(written(told).at(-1)?.response)).toEqual(withoutTime(body))
  },
)

test.each(Object.entries(replies))('%s: JSON and stream are read as the same', (_, told) => {
  const fromJson = decodedResult(encodedResult(told).body)
  expect(collected(written(told))).toEqual(fromJson)
})

test.each(Object.entries(replies))('%s: means the same after writing and reading', (_, told) => {
  const read = decodedResult(encodedResult(told).body) as GenerateResult
  const [choice] = read.choices
  const [before] = told.choices
  expect(choice?.content.map(comparable)).toEqual(before?.content.map(comparable))
  expect(choice?.stop.reason).toBe(before?.stop.reason)
  // In this dialect another model draws the pictures, whose tokens the usage lacks.
  const images = before?.content.filter(({ type }) => type === 'image').length ?? 0
  expect(read.usage).toEqual(images > 0 ? { ...told.usage, images, isPartial: true } : told.usage)
})

/** A signature also tells the id of the item that it stands in, where it has none of its own. */
function comparable(part: object): object {
  const { signature, ...rest } = part as { signature?: { dialect: string; value: string } }
  return signature
    ? { ...rest, signature: { dialect: signature.dialect, value: signature.value } }
    : rest
}
