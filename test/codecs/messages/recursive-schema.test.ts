import { expect, test } from 'vitest'

import { isRecursive } from '../../../plugins/dialects/shared/blocks/recursive-schema.ts'

const refersTo = ($ref: string) => ({ type: 'object', properties: { a: { $ref } } })

/** Definitions of which each refers to the next one, and the last one to `last`. */
function chain(length: number, last: object) {
  const $defs: Record<string, object> = { [`d${length}`]: last }
  for (let at = 0; at < length; at++) $defs[`d${at}`] = refersTo(`#/$defs/d${at + 1}`)
  return { ...refersTo('#/$defs/d0'), $defs }
}

test('a chain of references is followed to its end, however long it is', () => {
  expect(isRecursive(chain(20_000, { type: 'string' }))).toBe(false)
  expect(isRecursive(chain(20_000, refersTo('#/$defs/d7')))).toBe(true)
})

test('what is referred to from two places is no recursion', () => {
  const $ref = '#/$defs/day'
  const properties = { from: { $ref }, to: { $ref } }
  const $defs = { day: { type: 'string' } }
  expect(isRecursive({ type: 'object', properties, $defs })).toBe(false)
})

test('definitions that nobody refers to do not count', () => {
  expect(isRecursive({ type: 'object', $defs: { tree: refersTo('#/$defs/tree') } })).toBe(false)
})

test('a reference to nothing, or one that is no address, leads nowhere', () => {
  expect(isRecursive(refersTo('#/$defs/nobody'))).toBe(false)
  expect(isRecursive(refersTo('#/%zz'))).toBe(false)
  expect(isRecursive(refersTo('#/properties/a%20b/~1c~0'))).toBe(false)
})

test('a reference of thousands of steps is not followed', () => {
  const steps = '/properties/a'.repeat(1000)
  expect(isRecursive(refersTo(`#${steps}`))).toBe(false)
  let asked = 0
  const schema = new Proxy(refersTo(`#${'/a'.repeat(100_000)}`), {
    get: (target, name) => (asked++, Reflect.get(target, name)),
  })
  isRecursive(schema)
  expect(asked).toBeLessThan(10)
})

test('a node that contains a reference to itself is found through a node around it', () => {
  const inner = { type: 'object', properties: { next: { $ref: '#/properties/a/properties/b' } } }
  const around = { type: 'object', properties: { b: inner } }
  const toBoth = { anyOf: [{ $ref: '#/properties/a' }, { $ref: '#/properties/%61' }] }
  expect(isRecursive({ type: 'object', properties: { c: toBoth, a: around } })).toBe(true)
  const harmless = {
    type: 'object',
    properties: { b: { type: 'string' }, d: { $ref: '#/properties/c' } },
  }
  const ending = { anyOf: [{ $ref: '#/properties/a/properties/b' }] }
  expect(isRecursive({ type: 'object', properties: { c: ending, a: harmless } })).toBe(false)
})

test('a large node is read once, however many references lead to it', () => {
  let reads = 0
  const day = {
    get enum() {
      reads++
      return []
    },
  }
  const spellings = ['#/$defs/day', '#/$defs/%64ay', '#/$defs/d%61y', '#/$defs/da%79']
  const anyOf = spellings.map(($ref) => ({ $ref }))
  expect(isRecursive({ anyOf, $defs: { day } })).toBe(false)
  expect(reads).toBe(1)
})
