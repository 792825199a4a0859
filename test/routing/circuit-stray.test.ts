import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { poison, requestsOf, slowly, startFragile } from './fragile.ts'
import type { Pair } from './pair.ts'

/** What `/readyz` counts. */
async function circuitsOf({ gateway }: Pair): Promise<unknown> {
  const ready = await fetch(`${gateway.url}/readyz?verbose`)
  return ((await ready.json()) as { circuits: unknown }).circuits
}

test('after successes, a stray failure beside the failing key leaves the account to all', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  await pair.serveOften('alice')
  await pair.failOften('alice', 1)

  await pair.serveOften('bob')
  await pair.serveOften('alice')
  expect((await pair.ask({ key: 'mallory' })).status).toBe(503)
})

test('long after one key failed, a stray failure of another leaves the account to all', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  pair.pass(13_000)
  await pair.serveOften('alice')
  await pair.failOften('alice', 1)

  const asked = requestsOf(pair)
  const slow = [pair.ask({ key: 'alice', ...slowly }), pair.ask({ key: 'alice', ...slowly })]
  await until(() => requestsOf(pair) === asked + 2)
  await pair.serveOften('bob')
  pair.gate.open()
  for (const { status } of await Promise.all(slow)) expect(status).toBe(200)
})

test.each([0, 3_600_000])(
  'a key that failed before (%d ms) does not turn the failures of another into an outage',
  async (ms) => {
    await using pair = await startFragile({ b: { priority: 1 } })
    await pair.failOften('mallory')
    pair.pass(ms)
    await pair.serveOften('bob')
    await pair.failOften('alice')

    expect((await pair.ask({ key: 'alice' })).status).toBe(503)
    await pair.serveOften('bob')
  },
)

test('nor does a key that fails every call beside the successes of others', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  await pair.serveOften('bob')
  for (let round = 0; round < 60; round++) {
    await pair.ask({ key: 'alice', ...poison })
    await pair.serveOften('bob', 1)
  }

  for (const key of ['mallory', 'alice']) expect((await pair.ask({ key })).status).toBe(503)
})

test('the lines of the circuit of one key name this key', async () => {
  await using pair = await startFragile()
  for (const key of ['mallory', 'alice']) {
    await pair.failOften(key)
    await pair.serveOften('bob')
  }
  pair.pass(12_001)
  await pair.serveOften('mallory')
  pair.pass(133_000)
  await pair.serveOften('bob')

  const of = (key: string) =>
    pair.gateway.log.filter((line) => line['key'] === key && line['account'] === 'a')
  const opened = { msg: 'circuit opened: 5 of 5 calls got 500' }
  expect(of('mallory')).toMatchObject([
    opened,
    { msg: 'circuit half-open: one call probes the account' },
    { msg: 'circuit closed: the account works again' },
  ])
  expect(of('alice')).toMatchObject([opened, { msg: 'circuit closed: its key has not returned' }])
})

test('the circuit of a key that does not return closes', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  pair.pass(12_001)
  expect(await circuitsOf(pair)).toMatchObject({ open: 0, half_open: 2 })

  pair.pass(120_000)
  expect(await circuitsOf(pair)).toMatchObject({ open: 0, half_open: 0 })
  await pair.serveOften('mallory', 1)
})

test('failed trials of one key do not make the time longer that others wait', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  for (const openMs of [10_000, 20_000, 40_000]) {
    pair.pass(openMs * 1.2 + 1)
    await pair.failOften('mallory', 1)
  }
  await pair.failOften('alice', 3)

  const refused = await pair.ask({ key: 'bob' })
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(12)
})

test('an account that begins to fail for all after one key opens for all after one more failure', async () => {
  await using pair = await startFragile()
  await pair.failOften('mallory')
  await pair.serveOften('alice')
  await pair.failOften('alice', 3)
  await pair.failOften('bob', 3)

  const asked = requestsOf(pair)
  for (const key of ['mallory', 'alice', 'bob']) expect((await pair.ask({ key })).status).toBe(503)
  expect(requestsOf(pair)).toBe(asked)
  expect(pair.gateway.log.map(({ msg }) => msg)).toContain(
    'circuit opened for all keys: 6 of 6 calls got 500',
  )
})

test('half of the attempts that fail, nearly all for one key, open the circuit for this key', async () => {
  await using pair = await startFragile({ b: { priority: 1 } })
  for (let round = 0; round < 8; round++) {
    await pair.failOften('mallory', 1)
    await pair.serveOften('alice', 1)
  }
  await pair.serveOften('alice', 2)
  await pair.failOften('mallory', 1)
  await pair.failOften('alice', 1)

  expect((await pair.ask({ key: 'mallory' })).status).toBe(503)
  for (const key of ['alice', 'bob']) {
    expect(await pair.ask({ key })).toMatchObject({ status: 200, account: 'a' })
  }
})

test('half of the attempts that fail for several keys open the circuit for all', async () => {
  await using pair = await startFragile({ b: { priority: 1 } })
  for (let round = 0; round < 5; round++) {
    for (const key of ['mallory', 'alice']) {
      await pair.failOften(key, 1)
      await pair.serveOften('bob', 1)
    }
  }

  expect((await pair.ask({ key: 'bob' })).status).toBe(200)
  await pair.failOften('mallory', 1)
  expect((await pair.ask({ key: 'bob' })).status).toBe(503)
})
