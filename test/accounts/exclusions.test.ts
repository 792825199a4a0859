import { expect, test } from 'vitest'

import { exclusionsAmong } from '../../src/accounts/exclusions.ts'

test('a plugin whose list of exclusions is no list of them takes nothing from the others', () => {
  const sound = { account: 'a', model: 'm', reason: 'off' }
  const plugins = [
    { name: 'null', exclusions: () => [null] },
    { name: 'number', exclusions: () => 5 },
    { name: 'sound', exclusions: () => [sound] },
  ]
  const failed: string[] = []
  const known = exclusionsAmong(plugins as never, [], ({ name }) => failed.push(name))
  expect(failed).toEqual(['null', 'number'])
  expect([...known]).toEqual([['a', [sound]]])
})
