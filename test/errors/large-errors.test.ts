import { expect, test } from 'vitest'

import { errorIn } from '../../src/kit/upstream-error.ts'
import { errorUnless } from '../../src/kit/own-bodies.ts'

/** Each part of the gateway asks for the error of a body, and copies of a large one take long. */
test.each([
  ['in `error`', (error: object) => ({ error })],
  ['in `errors`', (error: object) => ({ errors: [error] })],
  ['with a type', (error: object) => ({ type: 'error', ...error })],
  ['in a list', (error: object) => [{ error }]],
])('an error %s is no copy', (_, bodyOf) => {
  const body = bodyOf({ message: 'no', code: 500 })
  const error = errorIn(body)
  expect(error).toMatchObject({ message: 'no', code: 500 })
  expect(errorIn(body)).toBe(error)
})

test('an error without an envelope is no copy', () => {
  const body = { message: 'no' }
  expect(errorUnless(() => false, body)).toBe(body)
})

test('a number is the code of an error that has none', () => {
  expect(errorIn({ error: 429, message: 'no' })).toEqual({ error: 429, code: 429, message: 'no' })
  expect(errorIn({ error: 429, code: 'x' })).toEqual({ error: 429, code: 'x' })
})
