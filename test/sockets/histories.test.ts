import { expect, test } from 'vitest'

import { Histories } from '../../plugins/dialects/responses/socket/histories.ts'

const large = Buffer.alloc(15 * 1024 * 1024)
const small = Buffer.from('{}')

test('responses that nothing stores displace none of another key', () => {
  const [one, other] = [new Histories('one'), new Histories('other')]
  one.keep('a', 'first', small)
  for (let count = 0; count < 12; count++) other.keep(String(count), `r${count}`, large)
  expect(one.find('first')).toEqual(small)
  const kept = Array.from({ length: 12 }, (_, count) => other.find(`r${count}`) !== undefined)
  expect(kept.lastIndexOf(false)).toBe(7)
  other.clear()
  one.clear()
  expect(one.find('first')).toBeUndefined()
})

test('of those of one key, the ones used last stay', () => {
  const histories = new Histories('one')
  for (let count = 0; count < 4; count++) histories.keep(String(count), `r${count}`, large)
  expect(histories.find('r0')).toBe(large)
  histories.keep('a', 'next', large)
  expect(['r0', 'r1', 'next'].map((id) => histories.find(id) !== undefined)).toEqual([
    true,
    false,
    true,
  ])
  histories.clear()
})
