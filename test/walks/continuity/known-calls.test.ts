import { expect, test } from 'vitest'

import type { CallIdentity } from '../../../src/contract/services.ts'
import { nameOfCall } from '../../../src/translate/signatures.ts'

const told = '{ "city": "Zürich", "days": 2.0, "at": { "x": 1, "y": [1, {}] } }'

function named(said: Partial<CallIdentity>): string {
  return nameOfCall({ id: 'call_0', name: 'weather', arguments: told, ...said })
}

test.for([
  ['without spaces', '{"city":"Zürich","days":2.0,"at":{"x":1,"y":[1,{}]}}'],
  ['in another order', '{"at":{"y":[1,{}],"x":1},"days":2,"city":"Zürich"}'],
  ['with its letters escaped', '{"city":"Z\\u00fcrich","days":2,"at":{"x":1,"y":[1,{}]}}'],
])('a call is known again by what a client writes %s', ([, input]) => {
  expect(named({ arguments: input! })).toBe(named({}))
})

test('no arguments are those of an empty object', () => {
  expect(named({ arguments: ' ' })).toBe(named({ arguments: '{}' }))
})

const deep = '['.repeat(100_000) + ']'.repeat(100_000)

test.for<[string, Partial<CallIdentity>]>([
  ['its id', { id: 'call_1' }],
  ['its tool', { name: 'time' }],
  ['what it says', { arguments: '{"city":"Bern"}' }],
  ['the order of a list', { arguments: told.replace('[1, {}]', '[{}, 1]') }],
  ['what is no JSON', { arguments: told.slice(1) }],
  ['what is nested without end', { arguments: deep }],
])('%s makes it another call', ([, other]) => {
  expect(named(other)).not.toBe(named({}))
})

test('what was called is not read out of the name, nor an id that is out of the ordinary', () => {
  expect(named({})).toMatch(/^call_0 [A-Za-z0-9_-]{22}$/)
  expect(named({ id: 'functions.weather:0' })).toMatch(/^call_[A-Za-z0-9]{24} [A-Za-z0-9_-]{22}$/)
})
