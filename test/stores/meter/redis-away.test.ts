import { expect, test } from 'vitest'

import { openStore } from '../../../src/stores/open.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { until } from '../../../src/testing/until.ts'
import { startCluster } from '../topologies.ts'
import { ask } from './limits.ts'
import { limit, expectAllToFail, answers } from './redis-away.ts'

test('a Redis that is started again knows no script, and counts', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const meter = store.meter()
  await meter.admit(ask('1', limit, 10))
  await redis.kill()
  await expectAllToFail(meter)
  await redis.restart()
  await until(() => answers(meter))
  await redis.command('SCRIPT', 'FLUSH')
  expect(await meter.admit(ask('2', limit, 10))).toMatchObject({ admitted: true })
  await store.close()
})

test('a cluster counts each subject on one server', async () => {
  await using cluster = await startCluster()
  const store = await openStore(cluster.url, { cwd: '/' })
  const meter = store.meter()
  await until(() => answers(meter))
  for (const name of ['key:a', 'key:b', 'team:{c}', 'gateway']) {
    await meter.admit(ask('1', limit, 10, { subject: name }))
    const charges = [{ limit, amount: 4 }]
    expect(await meter.settle({ subject: name, hold: '1', charges })).toMatchObject([{ spent: 4 }])
  }
  await store.close()
})
