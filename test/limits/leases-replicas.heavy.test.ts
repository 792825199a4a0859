import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { type TestRedis, startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { limitStage, secret } from './stage.ts'

const key = [
  { kind: 'tokens', amount: 100_000_000, window: 'day' },
  { kind: 'requests', amount: 1_000_000, window: 'day' },
  { kind: 'concurrent', amount: 10_000 },
]

/** Whether a process has a lease of the key. */
async function hasLease(redis: TestRedis): Promise<boolean> {
  const [name] = /dragoman:\S*\{meter:key:a\}(?=\r)/.exec(await redis.command('KEYS', '*')) ?? []
  return name !== undefined && (await redis.command('HKEYS', name)).includes('olease:')
}

/** Sends calls at once. Returns the tokens of those that were served. */
async function burst(urls: readonly string[], count: number): Promise<number> {
  const messages = [{ role: 'user', content: 'Hello there' }]
  const body = JSON.stringify({ model: 'sandbox/echo', max_tokens: 20, messages })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const call = async (index: number) => {
    const url = `${urls[index % urls.length]}/v1/chat/completions`
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
    if (!response) return 0
    const text = await response.text().catch(() => '')
    if (response.status === 200)
      return (JSON.parse(text) as { usage: { total_tokens: number } }).usage.total_tokens
    expect([429, 503]).toContain(response.status)
    return 0
  }
  const all = await Promise.all(Array.from({ length: count }, (_, index) => call(index)))
  return all.reduce((sum, tokens) => sum + tokens, 0)
}

test('a Redis that stands still while two replicas have leases loses no charge, and charges none twice', async () => {
  await using redis = await startRedis()
  const counted = { leases: 0 }
  const replica = async () => {
    const store = await openStore(redis.url, { cwd: '/' })
    const meter = store.meter()
    const lease: typeof meter.lease = (one) => (counted.leases++, meter.lease(one))
    return await limitStage({ store: { ...store, meter: () => ({ ...meter, lease }) }, key })
  }
  await using one = await replica()
  await using other = await replica()
  const urls = [one.gateway.url, other.gateway.url]
  let used = 0
  await until(async () => {
    used += await burst(urls, 100)
    return counted.leases > 4
  })
  const begun = burst(urls, 100)
  await wait(20)
  redis.pause()
  const meanwhile = burst(urls, 100)
  await wait(2_000)
  redis.resume()
  used += (await begun) + (await meanwhile)
  used += await burst(urls, 100)
  await until(async () => {
    const [tokens] = await one.limits().catch(() => [])
    return tokens?.spent === used && tokens.held === 0
  })
  await wait(300)
  expect((await other.settled())[0]).toMatchObject({ spent: used })
}, 60_000)

test('what a killed replica has leased on Redis is not given back, and the other one goes on', async () => {
  await using redis = await startRedis()
  await using own = await limitStage({ store: redis.url, key })
  const script = join(import.meta.dirname, 'killed-process.ts')
  const child = spawn(process.execPath, [script, redis.url, JSON.stringify(key)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const other = line.toString().trim()
  let used = 0
  await until(async () => {
    used += await burst([other], 100)
    return await hasLease(redis)
  })
  const last = burst([other, own.gateway.url], 200)
  await wait(10)
  child.kill('SIGKILL')
  await ended
  used += await last
  used += await burst([own.gateway.url], 100)
  const [tokens, requests] = await own.limits()
  const counted = Number(tokens!.spent) + Number(tokens!.held)
  expect(counted).toBeGreaterThanOrEqual(used)
  // A lease is no more than a part of what is left.
  expect(Number(tokens!.held)).toBeLessThanOrEqual(10_000_000)
  expect(Number(requests!.remaining)).toBeGreaterThan(800_000)
}, 60_000)
