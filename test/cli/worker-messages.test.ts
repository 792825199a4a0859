import { expect, test } from 'vitest'

import { addressesIn, asksToDrain, hasStopped } from '../../src/cli/workers.ts'

test('only a message with an address says that a worker serves: a plugin may send others', () => {
  for (const message of [undefined, null, 7, 'text', {}, [], { api: 7 }, { ready: true }]) {
    expect(addressesIn(message)).toBeUndefined()
    expect(asksToDrain(message)).toBe(false)
    expect(hasStopped(message)).toBe(false)
  }
  const addresses = { api: 'http://127.0.0.1:1', admin: 'http://127.0.0.1:2' }
  expect(addressesIn({ ...addresses, more: 1 })).toEqual(addresses)
  expect(addressesIn({ api: addresses.api })).toEqual({ api: addresses.api })
})
