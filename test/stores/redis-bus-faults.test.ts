import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test, vi } from 'vitest'

import { openRedisBus } from '../../src/stores/redis/bus.ts'
import { parseRedisUrl } from '../../src/stores/redis/url.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'

vi.setConfig({ testTimeout: 60_000 })

const modulePath = join(import.meta.dirname, '../../src/stores/open.ts')

test('a process ends although its bus never reached Redis', async () => {
  const script = `
    const { openStore } = await import(${JSON.stringify(modulePath)})
    const store = await openStore('redis://127.0.0.1:9', { cwd: '.' })
    const bus = await store.openBus('a', () => {})
    bus.listen({ onMessage() {}, onGap() {} })
    await bus.close()
    await store.close()`
  const run = promisify(execFile)
  const { stderr } = await run(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 20_000,
  })
  expect(stderr).toBe('')
})

test('a bus that loses its subscription says so, and hears again', async () => {
  await using redis = await startRedis()
  const heard: string[] = []
  let gaps = 0
  const bus = await openRedisBus(parseRedisUrl(redis.url)!, () => {})
  bus.listen({ onMessage: (message) => void heard.push(message), onGap: () => void gaps++ })
  const hears = (word: string) =>
    until(() => {
      bus.publish(word)
      return heard.includes(word)
    }, 20_000)
  await hears('first')
  // Only the subscription is lost: the connection of the publisher stays.
  await redis.command('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await until(() => gaps > 0)
  await hears('second')
  await redis.restart()
  await hears('third')
  expect(gaps).toBeGreaterThan(1)
  await bus.close()
})
