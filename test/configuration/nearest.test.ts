import { expect, test } from 'vitest'

import { nearest } from '../../src/lib/nearest.ts'

const commands = ['serve', 'check', 'keys', 'sandbox']

test.each([
  ['chekc', 'check'],
  ['Check', 'check'],
  ['chck', 'check'],
  ['key', 'keys'],
  ['server', 'serve'],
  ['sandboxx', 'sandbox'],
  ['--prot', '--port'],
])('%s means %s', (word, meant) => {
  expect(nearest(word, [...commands, '--port', '--host'])).toBe(meant)
})

test.each(['', 'x', 'deploy', 'frobnicate'])('"%s" means none', (word) => {
  expect(nearest(word, commands)).toBeUndefined()
})
