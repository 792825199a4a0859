import { expect, test } from 'vitest'

import { aliasCircles } from '../../src/configuration/check-names.ts'

const messages = (aliases: object) =>
  aliasCircles(aliases).map(({ path, message }) => `${path} ${message}`)

test('each circle is reported at the name that the configuration has first', () => {
  expect(messages({ a: 'c', b: 'c', c: 'b' })).toEqual([
    'aliases.b is part of a circle: b -> c -> b',
  ])
  expect(messages({ x: 'z', a: 'b', z: 'z', b: { model: 'a' }, y: 'b' })).toEqual([
    'aliases.a is part of a circle: a -> b -> a',
    'aliases.z is an alias of itself',
  ])
  expect(messages({ a: 'gpt', b: 'a', c: 'b', d: 'gpt' })).toEqual([])
})

test('a name that many aliases lead to is followed once', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 30_000 }, (_, at): [string, string] => [`a${at}`, `a${at + 1}`]),
  )
  expect(messages(chain)).toEqual([])
  expect(messages({ ...chain, a30000: 'a29999' })).toEqual([
    'aliases.a29999 is part of a circle: a29999 -> a30000 -> a29999',
  ])
})
