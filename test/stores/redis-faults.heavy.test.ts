import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { startSentinel } from './topologies.ts'
import { things, expectAllToFail, answers } from './redis-faults-stage.ts'

test('a Redis that is killed: calls fail, none hangs, and it is found again', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  await things(store).set('a', 1)
  await redis.kill()
  await expectAllToFail(store)
  await redis.restart()
  await until(() => answers(store))
  expect(await things(store).get('a')).toBeUndefined()
  await store.close()
})

test('a Redis that is stopped in its tracks, and goes on', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const values = [1, 2, 3, 4]
  const read = (): Promise<unknown[]> =>
    Promise.all(values.map((value) => things(store).get(`of ${value}`)))
  await things(store).set('a', 1)
  await things(store).setMany(values.map((value) => ({ id: `of ${value}`, value })))
  redis.pause()
  await expectAllToFail(store)
  await expectAllToFail(store)
  redis.resume()
  // What was asked before is answered now, to nobody.
  await until(() => answers(store))
  expect(await things(store).get('probe')).toBe(1)
  expect(await read()).toEqual(values)
  await store.close()
})

test('a cluster that is not there yet when the gateway starts', async () => {
  await using redis = await startRedis('--cluster-enabled', 'yes')
  await redis.kill()
  const store = await openStore(redis.url.replace('redis:', 'redis+cluster:'), { cwd: '/' })
  await expectAllToFail(store)
  await redis.restart()
  await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await until(() => answers(store))
  await store.close()
})

test('a cluster whose slots are not given out yet when the gateway starts', async () => {
  await using redis = await startRedis('--cluster-enabled', 'yes')
  const store = await openStore(redis.url.replace('redis:', 'redis+cluster:'), { cwd: '/' })
  await expectAllToFail(store)
  await redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await until(() => answers(store))
  await store.close()
})

test('a sentinel that is away does not gather what nobody waits for any more', async () => {
  const sentinel = await startSentinel()
  const store = await openStore(sentinel.url, { cwd: '/' })
  await until(() => answers(store))
  await sentinel[Symbol.asyncDispose]()
  const reasons = new Set<string>()
  const ask = (): Promise<unknown> =>
    things(store)
      .get('a')
      .catch((error: unknown) => reasons.add(String(error)))
  for (let rounds = 0; rounds < 6; rounds++) await Promise.all(Array.from({ length: 1_000 }, ask))
  expect([...reasons].join()).toContain('too many pending commands')
  await store.close()
})

test('a Redis that is full takes no writes, and reads go on', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  await things(store).set('a', 1)
  await redis.command('CONFIG', 'SET', 'maxmemory', '1')
  await expect(things(store).set('b', 1)).rejects.toThrow(StoreUnavailable)
  await expect(things(store).add('b', 1)).rejects.toThrow(StoreUnavailable)
  await expect(things(store).update('a', () => 2)).rejects.toThrow(StoreUnavailable)
  expect(await things(store).get('a')).toBe(1)
  await redis.command('CONFIG', 'SET', 'maxmemory', '0')
  await things(store).set('b', 1)
  expect(await things(store).get('b')).toBe(1)
  await store.close()
})
