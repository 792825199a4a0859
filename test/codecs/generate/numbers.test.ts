import { describe, expect, test } from 'vitest'

import { decode } from './codec.ts'

const config = (name: string, value: unknown) => () =>
  decode({ generationConfig: { [name]: value } })

/** Each number of `generationConfig` with its first and last value, and whether it is an integer. */
const numbers: readonly (readonly [string, number, number | undefined, boolean])[] = [
  ['temperature', 0, 2, false],
  ['topP', 0, 1, false],
  ['topK', 0, undefined, true],
  ['candidateCount', 1, 8, true],
  ['logprobs', 0, 20, true],
  ['maxOutputTokens', 1, undefined, true],
  ['presencePenalty', -2, 2, false],
  ['frequencyPenalty', -2, 2, false],
]

describe.each(numbers)(
  '%s of a Gemini client on a foreign account',
  (name, least, most, isWhole) => {
    const problem = expect.objectContaining({
      status: 400,
      param: `generationConfig.${name}`,
    }) as Error

    test('may have its first and last value, as a number or as text', () => {
      for (const value of [least, most ?? 1_000_000, String(least)]) {
        expect(config(name, value)).not.toThrow()
      }
    })

    test('is refused below, above and between its values', () => {
      const wrong = [
        least - 1,
        ...(most === undefined ? [] : [most + 1]),
        ...(isWhole ? [1.5] : []),
      ]
      for (const value of [...wrong, String(least - 1), '', 'many', true, [], {}]) {
        expect(config(name, value), JSON.stringify(value)).toThrow(problem)
      }
    })
  },
)

test.each([-2, 1.5])('a thinking budget of %d is refused', (thinkingBudget) => {
  expect(config('thinkingConfig', { thinkingBudget })).toThrow(/thinkingBudget/)
})

test.each([1.5, 'x', 2 ** 53])('a seed of %s is refused', (seed) => {
  expect(config('seed', seed)).toThrow(/seed/)
})

test.each(['bogus', 'User', 'toString'])('the role %s is refused', (role) => {
  const contents = [{ role, parts: [{ text: 'Hello' }] }]
  expect(() => decode({ contents })).toThrow(/contents\[0\]\.role.*user, model/)
})

test.each([
  ['user', 'user'],
  ['function', 'user'],
  ['tool', 'user'],
  ['', 'user'],
  [null, 'user'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
])('the role %s is that of a %s', (role, expected) => {
  const parts = [{ text: 'Hello' }]
  const { turns } = decode({ contents: [{ parts }, { role, parts }] })
  expect(turns.at(-1)?.role).toBe(expected)
})

test.each(['model', 'assistant'])('an answer that a %s has begun is named as such', (role) => {
  const parts = [{ text: 'Hello' }]
  const { fields } = decode({ contents: [{ parts }, { role, parts }] })
  expect(fields.assistant_prefill).toBe('contents[1].role')
})
