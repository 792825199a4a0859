import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'

test('the index of a list forgets records that have expired, so that short-lived ones do not fill it', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const records = store.records<number>('short', { listed: true })
  await records.set('stays', 1)
  for (let n = 0; n < 20; n++) await records.set(`gone-${n}`, n, { ttlMs: 1 })
  await until(async () => (await records.list()).length === 1)
  const version = await records.version()
  await until(async () => {
    expect(await records.list()).toEqual([{ id: 'stays', value: 1 }])
    return (await redis.command('ZCARD', 'dragoman:{short}#ids')).trim() === ':1'
  })
  // Nobody who follows the list has to read it again.
  expect(await records.version()).toBe(version)
  await store.close()
})

test('a page of a list takes two commands, however many records it has, and hides no damaged one', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const records = store.records<number>('words', { listed: true })
  await records.setMany(Array.from({ length: 50 }, (_, n) => ({ id: `w-${n + 10}`, value: n })))
  const calls = async (name: string) => {
    const stats = await redis.command('INFO', 'commandstats')
    return Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0)
  }
  const [gets, lists] = [await calls('get'), await calls('mget')]
  expect(await records.list()).toHaveLength(50)
  expect([(await calls('get')) - gets, (await calls('mget')) - lists]).toEqual([0, 1])
  // A record of another type cannot be read, but it is there.
  await redis.command('DEL', 'dragoman:{words}:w-20')
  await redis.command('LPUSH', 'dragoman:{words}:w-20', 'x')
  expect((await records.list())[10]).toEqual({ id: 'w-20', value: undefined })
  await store.close()
})
