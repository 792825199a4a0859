import { expect, test, vi } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'

test('a process whose clock is ahead takes no record of the others', async () => {
  await using redis = await startRedis()
  const ahead = await openStore(redis.url, { cwd: '/' })
  const records = ahead.records<string>('things')
  await records.set('a', 'kept', { ttlMs: 60_000 })
  const tomorrow = Date.now() + 24 * 3_600_000
  const clock = vi.spyOn(Date, 'now').mockReturnValue(tomorrow)
  try {
    expect(await records.get('a')).toBe('kept')
  } finally {
    clock.mockRestore()
  }
  expect(await records.get('a')).toBe('kept')
  await ahead.close()
})
