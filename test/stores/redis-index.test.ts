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
