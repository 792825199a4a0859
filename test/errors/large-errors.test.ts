import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { forms } from '../walks/streams/forms.ts'
import { errorIn, errorUnless } from '../../src/kit/upstream-error.ts'

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

const message = 'Slow down.'

describe.each(forms)('a $name client of an account whose error has so many members', (form) => {
  const wordsOf = (count: number) => ({
    message,
    code: 'busy',
    ...Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`member${at}`, 'x'.repeat(10)]),
    ),
  })

  test.each([
    ['4,000', 4_000, message],
    ['40,000', 40_000, 'The upstream replied with status 429.'],
  ])('is told of it: %s', async (_, count, told) => {
    const answer = { error: wordsOf(count) }
    await using pool = await startPool(form, { a: answerJson(answer, { status: 429 }) })
    const response = await ask(pool.gateway, form)
    expect(response.status).toBe(429)
    const { text } = await receive(response)
    expect(text).toContain(told)
    expect(text.length < 1_000).toBe(told !== message)
  })
})
