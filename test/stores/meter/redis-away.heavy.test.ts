import { expect, test } from 'vitest'

import { openStore } from '../../../src/stores/open.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { until } from '../../../src/testing/until.ts'
import { ask } from './limits.ts'
import { subject, limit, expectAllToFail, answers } from './redis-away.ts'

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
