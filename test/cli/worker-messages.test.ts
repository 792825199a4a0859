import type { Worker } from 'node:cluster'

import { expect, test } from 'vitest'

import { addressesIn, asksToDrain, createRelay } from '../../src/cli/worker-messages.ts'

test('only a message with an address says that a worker serves: a plugin may send others', () => {
  for (const message of [undefined, null, 7, 'text', {}, [], { api: 7 }, { ready: true }]) {
    expect(addressesIn(message)).toBeUndefined()
    expect(asksToDrain(message)).toBe(false)
  }
  const addresses = { api: 'http://127.0.0.1:1', admin: 'http://127.0.0.1:2' }
  expect(addressesIn({ ...addresses, more: 1 })).toEqual(addresses)
  expect(addressesIn({ api: addresses.api })).toEqual({ api: addresses.api })
})

test('a worker that reads nothing holds up no other, and a bounded number of messages', () => {
  const sent: string[] = []
  const workerOf = (name: string, reads: boolean) =>
    ({
      isConnected: () => true,
      send(_message: unknown, done: () => void) {
        sent.push(name)
        if (reads) done()
      },
    }) as unknown as Worker
  const [from, deaf, sound] = [
    workerOf('from', true),
    workerOf('deaf', false),
    workerOf('sound', true),
  ]
  const relay = createRelay((worker) => [from, deaf, sound].filter((one) => one !== worker))
  for (let number = 0; number < 3_000; number++) expect(relay(from, { bus: '{}' })).toBe(true)
  const count = (name: string) => sent.filter((one) => one === name).length
  expect([count('from'), count('deaf'), count('sound')]).toEqual([0, 1_000, 3_000])
  expect(relay(from, { drain: true })).toBe(false)
})
