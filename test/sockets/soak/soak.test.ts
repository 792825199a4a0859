import { expect, test } from 'vitest'

import { soak } from './soak.ts'

test('sockets that wait, work, fail and leave leave nothing behind', async () => {
  const { responses, codes, left } = await soak({ seconds: 3, idle: 40, busy: 8 })
  expect(responses).toBeGreaterThanOrEqual(8)
  expect(codes).toEqual({ 1001: 40 })
  expect(left).toEqual({ sockets: 0, inflight: 0, held: 0, streams: 0 })
}, 60_000)
