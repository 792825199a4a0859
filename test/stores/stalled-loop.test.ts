import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, test } from 'vitest'

import { within } from '../../src/lib/deadline.ts'
import { openStore } from '../../src/stores/open.ts'
import { storeDeadlineMs } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'

/** Holds the event loop of this process up, as a busy machine or another call may. */
function stall(milliseconds = 2 * storeDeadlineMs): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

/** Calls a store, and stalls after so many turns: before the calls are sent, or while the answers are on their way. */
async function callAndStall(url: string, turns: number): Promise<unknown[]> {
  const store = await openStore(url, { cwd: '/' })
  const things = store.records<number>('things')
  await things.set('a', 1)
  const answers = [things.get('a'), things.set('b', 2), things.delete('a')]
  const settled = Promise.allSettled(answers)
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  stall()
  const results = await settled
  await store.close()
  return results.map((one) => (one.status === 'fulfilled' ? 'answered' : one.reason))
}

const answered = ['answered', 'answered', 'answered']

describe.each([0, 1, 2, 3])('a process that is stalled after %i turns', (turns) => {
  test('has all answers of Redis', async () => {
    await using redis = await startRedis()
    expect(await callAndStall(redis.url, turns)).toEqual(answered)
  })

  test('has written to its files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stalled-'))
    try {
      expect(await callAndStall(`file:${folder}`, turns)).toEqual(answered)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

test('work without an end is late', async () => {
  const never = new Promise<never>(() => {})
  await expect(within(20, never, () => new Error('late'))).rejects.toThrow('late')
})

test('work that ends while the process is stalled is not late', async () => {
  // From here on, timers run before anything that arrives.
  await new Promise(setImmediate)
  const working = promisify(randomBytes)(16)
  const result = within(storeDeadlineMs, working, () => new Error('late'))
  stall(1.1 * storeDeadlineMs)
  expect(await result).toHaveLength(16)
})

test('work that a stalled process has not begun is not late', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  setImmediate(() => randomBytes(16, () => resolve('done')))
  const result = within(storeDeadlineMs, promise, () => new Error('late'))
  stall()
  expect(await result).toBe('done')
})
