import { expect, test } from 'vitest'

import { StoreUnavailable } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { patiently } from './patiently.ts'
import { fill, rest, missing, open } from './scanned.ts'

test('damaged records and those of another type do not end a scan', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await records.set('sound', 1)
  await redis.command('SET', 'dragoman:things:half', '{"value":')
  await redis.command('SET', 'dragoman:things:text', '"value"')
  await redis.command('LPUSH', 'dragoman:things:list', '1')
  const { records: found } = await records.scan()
  expect(found.map(({ id }) => id)).toEqual(['sound'])
})

test('a scan loses nothing when the table of the server shrinks or grows between its pages', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await fill(records)
  const others = store.records<number>('others')
  const many = Array.from({ length: 40_000 }, (_, index) => ({ id: `other-${index}`, value: 0 }))
  for (let from = 0; from < many.length; from += 100) {
    await patiently(() => others.setMany(many.slice(from, from + 100)))
  }
  const first = await patiently(() => records.scan({ limit: 2_000 }))
  const cursor = first.records[Math.floor(first.records.length / 2)]?.cursor
  const seen = new Set(
    first.records.slice(0, Math.floor(first.records.length / 2) + 1).map(({ id }) => id),
  )
  expect(seen.size).toBeGreaterThan(0)
  expect(missing(seen, await rest(records, cursor))).toEqual([])
  for (let from = 0; from < many.length; from += 100) {
    const keys = many.slice(from, from + 100).map(({ id }) => `dragoman:others:${id}`)
    await redis.command('DEL', ...keys)
  }
  expect(missing(seen, await rest(records, cursor))).toEqual([])
})

test('a store that does not answer is an error of a scan, never its end', async () => {
  await using redis = await startRedis()
  await using store = await open(redis.url)
  const records = store.records<number>('things')
  await fill(records)
  const { next } = await patiently(() => records.scan({ limit: 500 }))
  redis.pause()
  await expect(records.scan({ cursor: next })).rejects.toThrow(StoreUnavailable)
  redis.resume()
})
