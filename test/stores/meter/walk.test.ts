import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { meterSchema } from '../../../src/stores/sql-meter.ts'
import { ask, rate } from './limits.ts'
import { compareMeters, openOne, openRedis } from './walks.ts'

compareMeters(2_000)

test.each(['SQL', 'Redis'])(
  'a clock that is set back locks a rate on %s for two windows, also if calls are refused meanwhile',
  async (kind) => {
    await using redis = kind === 'Redis' ? await openRedis() : undefined
    const database = new DatabaseSync(':memory:')
    database.exec(meterSchema)
    let now = Date.UTC(2026, 0, 5)
    const meter = (redis ?? openOne(database)).open(() => now)
    const limit = rate(1, 60_000)
    expect(await meter.admit(ask('1', limit, 1))).toMatchObject({ admitted: true })
    now -= 400_000
    expect(await meter.admit(ask('2', limit, 1))).toMatchObject({ why: 'rate' })
    now += 120_000
    expect(await meter.admit(ask('3', limit, 1))).toMatchObject({ admitted: true })
    database.close()
  },
)
