import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { within } from '../../src/lib/within.ts'
import { openStore } from '../../src/stores/open.ts'
import { storeDeadlineMs } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'

/** Holds the event loop of this process up, as a busy machine or another call may. */
function stall(): void {
  const until = performance.now() + 2 * storeDeadlineMs
  while (performance.now() < until);
}

/** Sends calls to a store, and stalls when its answers are on their way. */
async function callAndStall(url: string): Promise<unknown[]> {
  const store = await openStore(url, { cwd: '/' })
  const things = store.records<number>('things')
  await things.set('a', 1)
  const answers = [things.get('a'), things.set('b', 2), things.delete('a')]
  const settled = Promise.allSettled(answers)
  await new Promise(setImmediate)
  stall()
  const results = await settled
  await store.close()
  return results.map((one) => (one.status === 'fulfilled' ? 'answered' : one.reason))
}

test('an answer of Redis that waits for a stalled process is no missing answer', async () => {
  await using redis = await startRedis()
  expect(await callAndStall(redis.url)).toEqual(['answered', 'answered', 'answered'])
})

test('a write to a file that waits for a stalled process is written', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stalled-'))
  try {
    expect(await callAndStall(`file:${folder}`)).toEqual(['answered', 'answered', 'answered'])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('work that ends while the process is stalled is not late', async () => {
  const working = promisify(randomBytes)(16)
  const result = within(storeDeadlineMs, working, () => new Error('late'))
  stall()
  expect(await result).toHaveLength(16)
})
