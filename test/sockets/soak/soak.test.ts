import { expect, test } from 'vitest'

import { soak } from './soak.ts'

test.each(['responses', 'realtime'] as const)(
  'sockets of %s that wait, work, fail and leave leave nothing behind',
  async (api) => {
    const soaked = await soak({ api, seconds: 3, idle: 40, busy: 8 })
    expect(soaked.responses).toBeGreaterThan(5)
    expect(soaked.failures).toEqual([])
    expect(soaked.codes).toEqual({ 1001: 40 })
    expect(soaked.left).toEqual({
      sockets: 0,
      connections: 0,
      inflight: 0,
      held: 0,
      admitted: 0,
      streams: 0,
    })
  },
  60_000,
)
