import { expect, test } from 'vitest'
import { exampleArguments, exampleOf } from '../../src/sandbox/text/example.ts'

test.each<[string, object, unknown]>([
  ['a string', { type: 'string' }, 'example'],
  ['a short string', { type: 'string', maxLength: 2 }, 'ex'],
  ['a long string', { type: 'string', minLength: 9 }, 'example..'],
  ['a date', { type: 'string', format: 'date' }, '2026-01-01'],
  ['a number', { type: 'number' }, 1],
  ['a large number', { type: 'integer', minimum: 7 }, 7],
  ['the first of an enumeration', { enum: ['b', 'a'] }, 'b'],
  ['a constant', { const: null }, null],
  ['a nullable string', { type: ['null', 'string'] }, 'example'],
  ['a list', { type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
  ['only what is required', { properties: { a: {}, b: {} }, required: ['b'] }, { b: 'example' }],
  ['all if nothing is said', { properties: { a: {}, b: {} } }, { a: 'example', b: 'example' }],
  ['Gemini types', { type: 'OBJECT', properties: { n: { type: 'NUMBER' } } }, { n: 1 }],
  [
    'all of several',
    { allOf: [{ properties: { a: {} }, required: ['a'] }, { properties: { b: {} } }] },
    { a: 'example' },
  ],
])('%s', (_, schema, expected) => {
  expect(exampleOf(schema)).toEqual(expected)
})

test('a schema that contains itself comes to an end', () => {
  const tree = {
    $ref: '#/$defs/node',
    $defs: { node: { properties: { child: { $ref: '#/$defs/node' } } } },
  }
  expect(JSON.stringify(exampleOf(tree)).length).toBeLessThan(500)
})

test('arguments are an object whatever the schema says', () => {
  expect(exampleArguments(undefined)).toEqual({})
  expect(exampleArguments({ type: 'string' })).toEqual({})
})
