import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { clientOf, end } from '../../../src/stores/redis/connect.ts'
import { redisMeter } from '../../../src/stores/redis/meter.ts'
import { parseRedisUrl } from '../../../src/stores/redis/url.ts'
import { meterSchema, prepareMeter, sqlMeter } from '../../../src/stores/sql-meter.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { type Met, walk } from './walk.ts'

const everywhere = [
  'rate',
  'concurrent',
  'held',
  'spent',
  'admitted',
  'warned',
  'settled unheld',
  'day',
]

function expectAllMet(met: Met): void {
  for (const name of everywhere) expect(met[name], name).toBeGreaterThan(0)
}

test.each([1, 2, 3, 4])(
  'SQL counts as the reference does, at 5,000 random steps of seed %i',
  async (seed) => {
    const database = new DatabaseSync(':memory:')
    database.exec(meterSchema)
    const prepared = prepareMeter(database)
    const met = await walk({
      seed,
      steps: 5_000,
      isEager: false,
      open: (now) => sqlMeter(async (write) => prepared.apply(write), prepared.read, now),
      sweep: prepared.sweep,
    })
    expectAllMet(met)
    database.close()
  },
  60_000,
)

test.each([5, 6])(
  'Redis counts as the reference does, at 3,000 random steps of seed %i',
  async (seed) => {
    await using redis = await startRedis()
    // Without the deadline of a store: a busy machine would leave open whether a step was done.
    const { client, send } = clientOf(parseRedisUrl(redis.url)!)
    await client.connect()
    const open = (now: () => number) =>
      redisMeter(
        { send: (key, mode, command) => send(key, mode === 'read', command) },
        'test:',
        now,
      )
    expectAllMet(await walk({ seed, steps: 3_000, isEager: true, open }))
    end({ client })
  },
  60_000,
)
