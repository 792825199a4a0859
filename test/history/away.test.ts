import { setTimeout as pause } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { answers, costOfReply, historyStage } from './stage.ts'

test('calls go on while Redis is stopped, and their rows come when it is back', async () => {
  await using redis = await startRedis()
  await using directory = await temporaryDirectory()
  await using stage = await historyStage([answers], {
    store: redis.url,
    spool: directory.path,
  })
  for (let index = 0; index < 20; index++) expect(await stage.call()).toBe(200)
  redis.pause()
  const until_ = performance.now() + 3_000
  let calls = 20
  while (performance.now() < until_) {
    expect(await stage.call()).toBe(200)
    calls++
    await pause(10)
  }
  redis.resume()
  const rows = await stage.rows(calls)
  expect(rows).toHaveLength(calls)
  const day = 24 * 60 * 60_000
  const from = Math.floor(Date.now() / day) * day
  for await (const [sums] of stage.store
    .ledger()
    .sums({ step: 'day', from, to: from + day, of: 'all' }))
    expect(sums?.sums).toMatchObject({ calls, costNano: calls * costOfReply })
})
