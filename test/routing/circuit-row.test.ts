import { expect, test } from 'vitest'

import { type Fragile, requestsOf, startFragile } from './fragile.ts'

async function expectClosedToAll(pair: Fragile): Promise<void> {
  const asked = requestsOf(pair)
  for (const key of ['mallory', 'alice', 'bob', 'carl']) {
    expect((await pair.ask({ key })).status).toBe(503)
  }
  expect(requestsOf(pair)).toBe(asked)
}

test.each([1, 2])(
  '%d stray failures within the row of one key open the circuit for this key',
  async (strays) => {
    await using pair = await startFragile()
    await pair.serveOften('bob')
    await pair.failOften('mallory', 5 - strays)
    await pair.failOften('alice', strays)

    await pair.serveOften('bob')
    await pair.serveOften('alice')
    expect((await pair.ask({ key: 'mallory' })).status).toBe(503)
  },
)

test('a key that fails again and again takes no account from another one by its stray failures', async () => {
  await using pair = await startFragile()
  for (let round = 0; round < 4; round++) {
    await pair.failOften('mallory')
    await pair.failOften('alice', 1)
    await pair.failOften('carl', 1)
    await pair.serveOften('bob')
    expect((await pair.ask({ key: 'mallory' })).status).toBe(503)
    // The trial of mallory succeeds: the next failures begin a row.
    pair.pass(12_001)
    await pair.serveOften('mallory')
  }
})

test('a row that several keys share opens the circuit for all at once', async () => {
  await using pair = await startFragile()
  for (const key of ['alice', 'bob', 'carl', 'alice', 'bob']) await pair.failOften(key, 1)

  await expectClosedToAll(pair)
})

test('an account that fails for two keys in turn opens for all after one more failure', async () => {
  await using pair = await startFragile()
  for (const key of ['alice', 'bob', 'alice', 'bob', 'alice']) await pair.failOften(key, 1)
  expect((await pair.ask({ key: 'alice' })).status).toBe(503)
  await pair.failOften('bob', 1)

  await expectClosedToAll(pair)
})

test('two keys of which one fails after the other has a gate each, once others have succeeded', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  await pair.failOften('alice', 2)
  await pair.serveOften('bob')
  await pair.failOften('alice', 4)
  await pair.failOften('carl', 1)

  for (const key of ['mallory', 'alice']) expect((await pair.ask({ key })).status).toBe(503)
  await pair.serveOften('bob')
  await pair.serveOften('carl')
})
