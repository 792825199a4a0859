import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { compileModels, compilePatterns } from '../../src/accounts/patterns.ts'

test('a name is itself, and no pattern', () => {
  const matches = compilePatterns(['gpt-4.1', 'a+b', 'x(y)?'])
  expect(['gpt-4.1', 'a+b', 'x(y)?'].every(matches)).toBe(true)
  expect(['gpt-4x1', 'aab', 'x', 'gpt-4.1 ', 'GPT-4.1', ''].some(matches)).toBe(false)
})

test('a star stands for any run of characters, slashes and nothing too', () => {
  const matches = compilePatterns(['gpt-*', '*/free', 'a*c*e'])
  expect(['gpt-', 'gpt-4', 'gpt-a/b', 'x/y/free', '/free', 'ace', 'abcde'].every(matches)).toBe(
    true,
  )
  expect(['gpt', 'xgpt-4', 'free', 'aec', 'acef'].some(matches)).toBe(false)
  expect(compilePatterns(['*'])('anything\nat all')).toBe(true)
  expect(compilePatterns([])('m')).toBe(false)
})

test('signs that mean something in regular expressions mean themselves', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, between, after) => {
      fc.pre(!`${before}${after}`.includes('*'))
      expect(compilePatterns([`${before}*${after}`])(before + between + after)).toBe(true)
      expect(compilePatterns([`${before}x*${after}`])(`${before}y${between}${after}`)).toBe(
        `${before}y${between}${after}`.startsWith(`${before}x`),
      )
    }),
  )
})

test('a list hands names on as they are', () => {
  const models = compileModels(['plain', 'gpt-*'])
  expect(models.names).toEqual(['plain'])
  expect(models.upstreamName('plain')).toBe('plain')
  expect(models.upstreamName('gpt-5')).toBe('gpt-5')
  expect(models.upstreamName('other')).toBeUndefined()
})

test('a map renames, and hands on what a star stood for', () => {
  const models = compileModels({
    plain: 'theirs',
    'acme/*': '*',
    'wrap-*': 'a-*-b',
    'many-*': 'one',
    'date-*': '*-2026',
  })
  expect(models.names).toEqual(['plain'])
  expect(models.upstreamName('plain')).toBe('theirs')
  expect(models.upstreamName('acme/x/y')).toBe('x/y')
  expect(models.upstreamName('wrap-$1$&')).toBe('a-$1$&-b')
  expect(models.upstreamName('many-2')).toBe('one')
  expect(models.upstreamName('date-x')).toBe('x-2026')
  expect(models.upstreamName('nothing')).toBeUndefined()
})

test('a name of the account is listed by the names that lead to it', () => {
  const models = compileModels({
    'acme/*': '*',
    'wrap-*': 'a-*-b',
    'many-*': 'one',
    'acme/taken': 'theirs',
    exact: 'plain',
  })
  expect(models.platformNames?.('x')).toEqual(['acme/x'])
  expect(models.platformNames?.('a-x-b')).toEqual(['acme/a-x-b', 'wrap-x'])
  expect(models.platformNames?.('taken')).toEqual([])
  expect(compileModels(['gpt-*']).platformNames?.('gpt-5')).toEqual(['gpt-5'])
  expect(compileModels(['gpt-*']).platformNames?.('o3')).toEqual([])
  expect(compileModels(['gpt-5']).platformNames).toBeUndefined()
  expect(compileModels({ 'many-*': 'one' }).platformNames).toBeUndefined()
})

test('each name that is made of a name of the account leads to it', () => {
  const part = fc.constantFrom('a', 'b', '*', 'a*', '*b', 'a*b')
  fc.assert(
    fc.property(fc.dictionary(part, part), fc.string({ unit: 'grapheme' }), (map, name) => {
      const models = compileModels(map)
      for (const one of models.platformNames?.(name) ?? []) {
        expect(models.upstreamName(one)).toBe(name)
      }
    }),
  )
})

test('an exact name wins over a pattern, and the first pattern over later ones', () => {
  const models = compileModels({ 'a-*': 'first', 'a-b*': 'second', 'a-b': 'exact' })
  expect(models.upstreamName('a-b')).toBe('exact')
  expect(models.upstreamName('a-bc')).toBe('first')
})

test('names that objects have by birth are no models', () => {
  for (const models of [compileModels({ a: 'b' }), compileModels(['a'])]) {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(models.upstreamName(name)).toBeUndefined()
    }
  }
})

test('two stars hand on what each of them stood for', () => {
  const models = compileModels({ '*/x-*': '*:y-*' })
  expect(models.upstreamName('a/x-b')).toBe('a:y-b')
})
