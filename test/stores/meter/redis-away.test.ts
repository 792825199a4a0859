import { expect, test } from 'vitest'

import type { Meter } from '../../../src/stores/meter.ts'
import { openStore } from '../../../src/stores/open.ts'
import { StoreUnavailable } from '../../../src/stores/store.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { until } from '../../../src/testing/until.ts'
import { startCluster } from '../topologies.ts'
import { ask, budget } from './limits.ts'

const subject = 'key:a'
const limit = budget(100)

/** What a call may take beyond its deadline before a test calls it stuck, in milliseconds. */
const patience = 2_000

async function expectAllToFail(meter: Meter): Promise<void> {
  const calls = [
    meter.admit(ask('away', limit, 1)),
    meter.settle({ subject, hold: '1', charges: [] }),
    meter.renew(subject, ['1'], 60_000),
    meter.read(subject, [limit]),
    meter.reset(subject, limit),
  ]
  const stuck = new Promise((resolve) => setTimeout(resolve, patience, 'stuck').unref())
  for (const call of calls) {
    const outcome = Promise.race([call, stuck]).catch((error: unknown) => error)
    expect(await outcome).toBeInstanceOf(StoreUnavailable)
  }
}

const answers = (meter: Meter) =>
  meter.read(subject, [limit]).then(
    () => true,
    () => false,
  )

test('while Redis hangs, calls fail in time; then the counts go on', async () => {
  await using redis = await startRedis()
  const store = await openStore(redis.url, { cwd: '/' })
  const meter = store.meter()
  await meter.admit(ask('1', limit, 10))
  redis.pause()
  await expectAllToFail(meter)
  redis.resume()
  await until(() => answers(meter))
  await meter.settle({ subject, hold: 'away', charges: [], unheld: true })
  await meter.settle({
    subject,
    hold: '1',
    charges: [{ limit, amount: 12 }],
    unheld: true,
  })
  // Before Redis hung, it may have begun to read the settlement that failed.
  expect(await meter.read(subject, [limit])).toMatchObject([{ held: 0 }])
  await store.close()
})

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
