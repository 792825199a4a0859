import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import type { Meter } from '../../../src/stores/meter.ts'
import { createMeter } from '../../../src/stores/meter-wire.ts'
import { clientOf, end } from '../../../src/stores/redis/connect.ts'
import { redisMeter } from '../../../src/stores/redis/meter.ts'
import { parseRedisUrl } from '../../../src/stores/redis/url.ts'
import { meterSchema, prepareMeter } from '../../../src/stores/sql-meter.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { ask, budget, concurrent, rate } from './limits.ts'

const dayMs = 86_400_000

/** Days of calls of many end users, some of which are lost. Returns the clock. */
async function fill(open: (now: () => number) => Meter): Promise<() => number> {
  let now = Date.UTC(2026, 0, 1)
  const meter = open(() => now)
  for (let day = 0; day < 4; day++) {
    const daily = budget(1_000, { period: `day ${day}`, endsAt: now + dayMs })
    for (let call = 0; call < 30; call++) {
      const hold = `${day} ${call}`
      const user = rate(100, 60_000, { id: `user ${day} ${call}` })
      const more = [user, concurrent(100)].map((limit) => ({ limit, amount: 1, floor: 1 }))
      await meter.admit(ask(hold, daily, 3, { floor: 1, more }))
      if (call % 3 > 0) {
        const charges = [{ limit: daily, amount: 2 }]
        await meter.settle({ subject: 'key:a', hold, charges, unheld: call % 3 > 1 })
      }
      now += 1_000
    }
    await meter.renew('key:a', [`${day} 0`], 3_600_000)
    now += dayMs
  }
  return () => (now += 2 * dayMs)
}

test('the tables of a meter lose what is over, also of subjects that nobody asks for again', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(meterSchema)
  const { apply, flush, sweep } = prepareMeter(database)
  const later = await fill((now) => createMeter(async (operation) => apply(operation), now))
  flush(later())
  const count = (table: string) =>
    Number(database.prepare(`SELECT count(*) n FROM ${table}`).get()?.['n'])
  expect(count('meter_holds')).toBeGreaterThan(60)
  // Lost holds are charged, then forgotten a day later, then their counters are.
  for (let sweeps = 0; sweeps < 4; sweeps++) sweep(later())
  expect([count('meter_holds'), count('meter_counters')]).toEqual([0, 0])
  database.close()
})

test('a sweep of many rows takes some at a time, and comes to the last', async () => {
  const database = new DatabaseSync(':memory:')
  database.exec(meterSchema)
  const { apply, sweep } = prepareMeter(database)
  let now = Date.UTC(2026, 0, 1)
  const meter = createMeter(
    async (operation) => apply(operation),
    () => now,
  )
  for (let call = 0; call < 5_000; call++) {
    const asked = ask(`${call}`, concurrent(9_999), 1, { subject: `key:${call % 1_000}` })
    await meter.admit(asked)
  }
  const count = () => database.prepare('SELECT count(*) n FROM meter_holds').get()?.['n']
  sweep(now)
  expect(count()).toBe(5_000)
  for (let day = 0; day < 3; day++) {
    now += 2 * dayMs
    for (let sweeps = 0; sweeps < 3; sweeps++) sweep(now)
  }
  expect(count()).toBe(0)
  database.close()
})

test('Redis forgets what is over with the operations of a subject, and an idle subject as a whole', async () => {
  await using redis = await startRedis()
  const { client, send } = clientOf(parseRedisUrl(redis.url)!)
  await client.connect()
  const all = (command: string[]) => send('', false, command)
  const keys = ['test:{meter:key:a}', 'test:{meter:key:a}#due'] as const
  let clock = () => 0
  const meters = (now: () => number) =>
    redisMeter({ send: (key, mode, command) => send(key, mode === 'read', command) }, 'test:', now)
  const later = await fill((now) => {
    clock = now
    return meters(now)
  })
  expect(await all(['DBSIZE'])).toBe(2)
  const meter = meters(() => clock())
  for (let days = 0; days < 4; days++) {
    later()
    await meter.read('key:a', [budget(1)])
  }
  // The times of the keys stay.
  expect(await all(['HLEN', keys[0]])).toBe(2)
  expect(await all(['ZCARD', keys[1]])).toBe(1)
  for (const key of keys) {
    const left = Number(await all(['PTTL', key]))
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(5 * dayMs)
  }
  // What is spent for ever is kept for ever.
  await meter.admit(ask('1', budget(10), 1))
  for (const key of keys) expect(await all(['PTTL', key])).toBe(-1)
  end({ client })
})
