import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { indexNames } from '../../src/accounts/name-index.ts'
import { compileModels } from '../../src/accounts/patterns.ts'

/** Short texts of few letters, so that names and patterns often meet. */
const text = (letters: string) =>
  fc.string({ unit: fc.constantFrom(...letters.split('')), maxLength: 5 })
const models = fc.oneof(
  fc.array(text('ab*/'), { maxLength: 4 }),
  fc.dictionary(text('ab*/'), text('ab'), { maxKeys: 4 }),
)

test('a name is found where one of the accounts has it, and nowhere else', () => {
  fc.assert(
    fc.property(fc.array(models, { maxLength: 5 }), text('ab/'), (lists, name) => {
      const accounts = lists.map((list) => ({ models: compileModels(list) }))
      const has = accounts.some(({ models: one }) => one.upstreamName(name) !== undefined)
      expect(indexNames(accounts)(name)).toBe(has)
    }),
    { numRuns: dailySteps(2_000) },
  )
})

test('an account whose list of names is complete has no others', () => {
  const has = indexNames([{ models: { names: ['a'], upstreamName: (model) => model } }])
  expect([has('a'), has('b')]).toEqual([true, false])
})

test('a look at a name asks no account', () => {
  const accounts = Array.from({ length: 1_000 }, (_, at) => ({
    models: { ...compileModels([`own-${at}`, `own-${at}-*`, '*/free']), upstreamName: refuse },
  }))
  const has = indexNames(accounts)
  expect(['own-77', 'own-77-x', 'any/free'].every(has)).toBe(true)
  expect(['own', 'own-x', 'free'].some(has)).toBe(false)
})

function refuse(): never {
  throw new Error('An account was asked.')
}
