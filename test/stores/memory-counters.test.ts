import { expect, test, vi } from 'vitest'

import { memoryCounters } from '../../src/stores/memory-counters.ts'

test('counters of former minutes leave the memory, though nothing asks for them again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const counters = memoryCounters(() => {})
    for (let minute = 0; minute < 1_000; minute++) {
      for (const key of ['a', 'b', 'c'])
        await counters.add(`${key} ${minute}`, 1, { ttlMs: 60_000 })
      vi.setSystemTime(Date.now() + 60_000)
    }
    expect(counters.size).toBeLessThan(10)
    // What lasts for ever stays.
    await counters.add('kept', 1)
    for (let minute = 0; minute < 100; minute++) await counters.add(`m${minute}`, 1, { ttlMs: 1 })
    expect(await counters.get('kept')).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})
