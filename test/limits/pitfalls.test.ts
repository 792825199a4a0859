import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { limitStage } from './stage.ts'

const echo = 'sandbox/echo'

/** 600 tokens, by its bytes. */
const spoken = {
  type: 'input_audio',
  input_audio: { data: 'A'.repeat(300_000), format: 'mp3' },
}

// Twenty pitfalls of other gateways. The tests of the others stand with what they test: search for `pitfall 16:`.
describe('limits of a key', () => {
  test('pitfall 1: calls at once over two replicas are not overspent, and each replica has no budget of its own', async () => {
    await using redis = await startRedis()
    const options = {
      store: redis.url,
      key: [{ kind: 'cost', amount: '0.0001', window: 'day' }],
    }
    await using one = await limitStage(options)
    await using other = await limitStage(options)
    const asked = Array.from({ length: 64 }, (_, call) =>
      (call % 2 === 0 ? one : other).chat(echo, { max_tokens: 20 }),
    )
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses).toContain(200)
    expect(statuses.every((status) => [200, 402, 429].includes(status))).toBe(true)
    const [limit] = await one.settled()
    expect(Number(limit!.spent)).toBeLessThanOrEqual(0.0001 + 0.00005)
    expect((await other.settled())[0]).toMatchObject({ spent: limit!.spent })
  })

  test('pitfall 2: refused and failed calls spend nothing', async () => {
    await using stage = await limitStage({
      key: [
        { kind: 'cost', amount: '1', window: 'day' },
        { kind: 'tokens', amount: 100_000, window: 'day' },
      ],
    })
    for (let call = 0; call < 5; call++) {
      expect((await stage.chat('sandbox/status=400')).status).toBe(400)
      expect((await stage.chat(echo, { temperature: 'hot' })).status).toBe(400)
    }
    for (const { spent, held } of await stage.settled())
      expect([Number(spent), Number(held)]).toEqual([0, 0])
  })

  test('pitfall 4: a client that permits a million tokens of output is not locked out', async () => {
    await using stage = await limitStage({ key: [{ kind: 'cost', amount: '0.01', window: 'day' }] })
    const asked = [1, 2].map(() => stage.chat(echo, { max_tokens: 1_000_000 }))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200])
  })

  test.each([
    ['the standard tier', {}, 200],
    ['a dearer tier', { service_tier: 'priority' }, 402],
    ['a cheaper tier', { service_tier: 'flex' }, 200],
    ['a tier that the price does not know', { service_tier: 'turbo' }, 402],
    ['audio', { messages: [{ role: 'user', content: [spoken] }] }, 402],
  ])('pitfall 5: a strict budget holds a call at the rates of %s', async (_, more, status) => {
    const prices = {
      priced: {
        rates: { input: '1', output: '1', inputAudio: '20' },
        tiers: { flex: '0.5', priority: '4' },
      },
    }
    await using stage = await limitStage({
      models: ['priced'],
      prices,
      key: [{ kind: 'cost', amount: '0.003', window: 'day', strict: true }],
    })
    expect((await stage.chat('priced', { max_tokens: 1_000, ...more })).status).toBe(status)
  })

  test('pitfall 7: a restart does not refill a budget', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dragoman-limits-'))
    const options = {
      store: `file:${directory}`,
      key: [{ kind: 'requests', amount: 1, window: 'day' }],
    }
    {
      await using stage = await limitStage(options)
      expect((await stage.chat(echo)).status).toBe(200)
    }
    await using again = await limitStage(options)
    expect((await again.chat(echo)).status).toBe(402)
  })

  test('pitfall 8: a new period begins without a job that sets counters back, in the zone of the limit', async () => {
    let now = Date.parse('2026-11-29T22:59:00Z')
    await using stage = await limitStage({
      now: () => now,
      key: [{ kind: 'requests', amount: 1, window: 'day', zone: 'Europe/Berlin' }],
    })
    expect((await stage.chat(echo)).status).toBe(200)
    const refused = await stage.chat(echo)
    expect(refused.error.details[0]!.resetsAt).toBe('2026-11-29T23:00:00.000Z')
    now = Date.parse('2026-11-29T23:00:00Z')
    expect((await stage.chat(echo)).status).toBe(200)
  })

  test('pitfall 18: an alias and a name in capital letters do not pass by the limit of a model', async () => {
    await using stage = await limitStage({
      aliases: { fast: echo, faster: 'fast' },
      key: [{ kind: 'requests', amount: 2, models: [echo] }],
    })
    expect((await stage.chat('fast')).status).toBe(200)
    expect((await stage.chat('faster')).status).toBe(200)
    expect((await stage.chat(echo)).status).toBe(429)
    expect((await stage.chat('fast')).status).toBe(429)
  })

  test('pitfall 18: an id that a client sends does not make two calls one', async () => {
    await using stage = await limitStage({ key: [{ kind: 'requests', amount: 2, window: 'day' }] })
    const body = { model: echo, messages: [{ role: 'user', content: 'x' }] }
    const send = async () => {
      const response = await stage.send('/v1/chat/completions', body, {
        'x-request-id': 'req_same',
        'idempotency-key': 'same',
      })
      await response.text()
      return response.status
    }
    expect([await send(), await send(), await send()]).toEqual([200, 200, 402])
  })

  test('pitfall 17: an answer of a plugin is a request that costs nothing', async () => {
    const cache = {
      name: 'cache',
      onCall: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' }),
    }
    await using stage = await limitStage({
      plugins: [cache],
      key: [
        { kind: 'requests', amount: 10, window: 'day' },
        { kind: 'cost', amount: '1' },
      ],
    })
    expect((await stage.chat(echo)).status).toBe(200)
    const [requests, cost] = await stage.settled()
    expect([requests!.spent, cost!.spent]).toEqual([1, '0'])
  })
})
