import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { forgetScript } from '../../src/stores/redis/scripts.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'

const index = 'dragoman:{things}#ids'

test('the ids of expired records leave the index of Redis when it is listed', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const records = store.records<number>('things', { listed: true })
  const count = async () => (await redis.command('ZCARD', index)).trim()
  await records.setMany(
    Array.from({ length: 1_200 }, (_, id) => ({
      id: `a-${String(id).padStart(4, '0')}`,
      value: id,
      ttlMs: 1,
    })),
  )
  await records.set('b', 1)
  await until(async () => (await records.get('a-1199')) === undefined)
  const version = await records.version()
  expect(await count()).toBe(':1201')
  expect(await records.list({ limit: 1 })).toEqual([{ id: 'b', value: 1 }])
  await until(async () => (await count()) === ':1')
  expect(await records.version()).toBe(version)
  await records.set('a-0000', 2)
  expect((await records.list({ newestFirst: true })).map(({ id }) => id)).toEqual(['b', 'a-0000'])
  await store.close()
})

test('a record that was written after a list has missed it keeps its id', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const records = store.records<number>('things', { listed: true })
  await records.set('x', 1)
  // As the list asks that has found it expired, a moment later.
  await redis.command('EVAL', forgetScript, '2', index, 'dragoman:{things}:x', 'x')
  expect(await records.list()).toEqual([{ id: 'x', value: 1 }])
  await redis.command('DEL', 'dragoman:{things}:x')
  await redis.command('EVAL', forgetScript, '2', index, 'dragoman:{things}:x', 'x')
  expect(await redis.command('ZCARD', index)).toContain(':0')
  await store.close()
})

test('a record that was written again keeps its id', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const records = store.records<number>('things', { listed: true })
  for (let round = 0; round < 20; round++) {
    await records.set('x', round, { ttlMs: 1 })
    await until(async () => (await records.get('x')) === undefined)
    await Promise.all([records.list(), records.set('x', round)])
    expect(await records.list()).toEqual([{ id: 'x', value: round }])
    await records.delete('x')
  }
  await store.close()
})
