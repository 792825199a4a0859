import { setTimeout as wait } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type LimitStage, limitStage } from './stage.ts'

/** A stream of a second. */
const call = (stage: LimitStage) =>
  stage.chat('sandbox/words=50+pace=20', { stream: true, max_tokens: 50 })

const nanoOf = (usd: unknown) => Math.round(Number(usd) * 1e9)

test('pitfall 6: while Redis is stopped for 10 s amid 64 calls, each of two replicas exceeds a budget for 10 by one call at most', async () => {
  await using measured = await limitStage({ key: [{ kind: 'cost', amount: 1 }] })
  await call(measured)
  const cost = nanoOf((await measured.settled())[0]!.spent)
  await using redis = await startRedis()
  const options = {
    store: redis.url,
    key: [{ kind: 'cost', amount: ((10 * cost) / 1e9).toFixed(9), window: 'total' }],
  }
  await using one = await limitStage(options)
  await using other = await limitStage(options)
  const stages = [one, other]
  const served = [0, 0]
  let alone = 0
  const ask = async (index: number) => {
    const { status, text, headers } = await call(stages[index % 2]!)
    expect([200, 402, 429]).toContain(status)
    if (status !== 200) return
    expect(text).toContain('[DONE]')
    served[index % 2]!++
    if (headers.get('x-dragoman-stale') === 'limits') alone++
  }
  for (const index of [0, 1, 0, 1]) {
    await ask(index)
    await stages[index]!.settled()
  }
  expect(served).toEqual([2, 2])
  const asked = Array.from({ length: 32 }, (_, index) => ask(index))
  await until(async () => Number((await one.limits())[0]!.held) > 0)
  redis.pause()
  const stopped = wait(10_000)
  asked.push(...Array.from({ length: 32 }, (_, index) => ask(index)))
  await Promise.all([...asked, stopped])
  expect(alone).toBeGreaterThan(0)
  // At its own last call, Redis has told one replica of three calls, and the other of four.
  expect(3 + served[0]! - 2).toBeLessThanOrEqual(11)
  expect(4 + served[1]! - 2).toBeLessThanOrEqual(11)
  redis.resume()
  const allServed = () => served[0]! + served[1]!
  const charged = async () => {
    const [limit] = await one.limits().catch(() => [])
    return nanoOf(limit?.spent) === allServed() * cost && Number(limit?.held) === 0
  }
  await until(charged)
  // With Redis, both together exceed it by one call at most.
  const before = allServed()
  await Promise.all(Array.from({ length: 64 }, (_, index) => ask(index)))
  await until(charged)
  expect(allServed()).toBeLessThanOrEqual(Math.max(before, 11))
}, 60_000)
