import { expect, test } from 'vitest'

import { maxStoredBytes, storedSizeOf } from '../../src/kit/stored-size.ts'

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const texts = ['', 'a', 'ü', '😀', '\u0001', '\n', '"', '\\', '\u007f', '\ud800', '\udfff']

test.for(texts)('the size of values with %j is that of their JSON or more', (character) => {
  const text = character.repeat(3)
  for (const other of texts) {
    const name = other + text
    for (const value of [
      text,
      name,
      [text, name],
      { [name]: [{ [other]: text }, -1.5e-100, null] },
    ]) {
      expect(storedSizeOf(value)).toBeGreaterThanOrEqual(bytesOf(value))
    }
  }
})

test.for(texts.slice(1, 8))('texts of %j count with their escapes', (character) => {
  const text = character.repeat(10_000)
  expect(storedSizeOf(text) - bytesOf(text)).toBeLessThan(10)
  expect(storedSizeOf(character.repeat(maxStoredBytes + 1))).toBeGreaterThan(maxStoredBytes)
})
