import { join } from 'node:path'

import OpenAI from 'openai-7'
import { describe, expect, test } from 'vitest'

import { GatewayError, type PluginCounters, definePlugin } from '../../src/index.ts'
import { countersOfPlugin } from '../../src/runtime/plugin-counters.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/index.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { askChat, stage } from '../third-party/chat.ts'
import { quota } from '../third-party/quota.ts'

const sdk = ({ url, key }: TestGateway) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

/** How many of these calls are answered, and the names of the errors of the others. */
async function askOften(gateways: readonly TestGateway[], count: number) {
  const clients = gateways.map(sdk)
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const asked = Array.from({ length: count }, (_, index) =>
    clients[index % clients.length]!.chat.completions.create({ model: 'm', messages }),
  )
  const ends = await Promise.allSettled(asked)
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []))
  return {
    answered: count - refusals.length,
    refusals: new Set(refusals.map(({ constructor: { name } }) => name)),
  }
}

const exact = { answered: 25, refusals: new Set(['RateLimitError']) }

describe('a plugin that counts', () => {
  test('counts in memory', async () => {
    await using scene = await stage({ plugins: [quota({ limit: 25 })] })
    expect(await askOften([scene.gateway], 40)).toEqual(exact)
  })

  test('counts for all gateways on one file store, and after a restart', async () => {
    await using directory = await temporaryDirectory()
    const store = `file:${join(directory.path, 'store')}`
    const plugins = [quota({ limit: 25 })]
    {
      await using one = await stage({ store, plugins })
      await using other = await stage({ store, plugins: [quota({ limit: 25 })] })
      expect(await askOften([one.gateway, other.gateway], 40)).toEqual(exact)
    }
    await using later = await stage({ store, plugins: [quota({ limit: 25 })] })
    expect((await askChat(later.gateway)).status).toBe(429)
  })

  test('counts for all replicas on a Redis, and learns when it is away', async () => {
    await using redis = await startRedis()
    await using one = await stage({ store: redis.url, plugins: [quota({ limit: 25 })] })
    await using other = await stage({ store: redis.url, plugins: [quota({ limit: 25 })] })
    expect(await askOften([one.gateway, other.gateway], 40)).toEqual(exact)
    await redis.kill()
    const refused = await askChat(one.gateway)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      error: { details: [{ code: 'service_unavailable' }] },
    })
  })

  test('has counters that no other plugin reaches', async () => {
    const strict = quota({ limit: 1, name: 'strict' })
    const lavish = quota({ limit: 9, name: 'lavish' })
    await using scene = await stage({ plugins: [lavish, strict] })
    expect((await askChat(scene.gateway)).status).toBe(200)
    expect(await (await askChat(scene.gateway)).json()).toMatchObject({ error: { code: 429 } })
  })

  test.each<[string, (counters: PluginCounters) => Promise<unknown>, RegExp]>([
    ['an empty name', (counters) => counters.add('', 1, { ttlMs: 1_000 }), /1 to 256 characters/],
    ['a long name', (counters) => counters.get('x'.repeat(257)), /1 to 256 characters/],
    ['half a character', (counters) => counters.get('\ud800'), /1 to 256 characters/],
    ['a fraction', (counters) => counters.add('a', 0.5, { ttlMs: 1_000 }), /whole numbers/],
    ['no time', (counters) => counters.add('a', 1, {} as never), /`ttlMs`/],
    ['a time of years', (counters) => counters.add('a', 1, { ttlMs: 1e12 }), /`ttlMs`/],
  ])('is refused %s', async (_, use, problem) => {
    const { promise: refused, resolve } = Promise.withResolvers<unknown>()
    const plugin = definePlugin({
      name: 'odd',
      onStart: ({ counters }) => use(counters).then(resolve, resolve),
    })
    await using _gateway = await createTestGateway({ plugins: [plugin] })
    expect(await refused).toBeInstanceOf(TypeError)
    expect(String(await refused)).toMatch(problem)
  })

  test('learns how much of its window is left, for a retry-after that is exact', async () => {
    const quotaOfDay = definePlugin({
      name: 'day',
      onStart: ({ counters }) => void (known = counters),
      async onCall({ exchange, next }) {
        const counted = await known!.count(exchange.caller.keyId, 1, { ttlMs: 90_000 })
        if (counted.total <= 1) return next()
        throw new GatewayError('quota_exceeded', 'Later.', { retryAfterMs: counted.remainingMs })
      },
    })
    let known: PluginCounters | undefined
    await using scene = await stage({ plugins: [quotaOfDay] })
    expect((await askChat(scene.gateway)).status).toBe(200)
    const { remainingMs } = await known!.count('test', 0, { ttlMs: 600_000 })
    expect(remainingMs).toBeLessThanOrEqual(90_000)
    const refused = await askChat(scene.gateway)
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(Math.ceil(remainingMs / 1_000))
  })

  test('cannot fill the store with names', async () => {
    let time = 0
    const store = openMemoryStore()
    const counters = countersOfPlugin(store, 'greedy', { most: 2, now: () => time })
    const add = (name: string) => counters.add(name, 1, { ttlMs: 60_000 })
    expect([await add('a'), await add('b'), await add('a')]).toEqual([1, 1, 2])
    await expect(add('c')).rejects.toThrow(RangeError)
    expect(await counters.get('c')).toBe(0)
    time = 61_000
    expect(await add('c')).toBe(1)
  })
})
