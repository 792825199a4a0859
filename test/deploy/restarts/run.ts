// Part of `npm run test:deploy`; `npm run test:drain` does it with more clients and restarts.
import { expect, test } from 'vitest'

import { soak } from '../../drain/soak.ts'

test('a rolling restart behind nginx fails no call, paused clients and streams included', async () => {
  const { tally, faults } = await soak({
    upstream: 'kept connections',
    drainDelayMs: 0,
    workers: 1,
    restarts: 2,
    clients: { 'closed loop': 4, paused: 3, streams: 3 },
  })
  expect(faults).toEqual([])
  for (const { calls } of Object.values(tally)) expect(calls).toBeGreaterThan(0)
}, 180_000)
