import { expect, test } from 'vitest'

import { createTestGateway } from '../src/testing/gateway.ts'

test('probes do not count as served, by which the process keeps the memory of its start', async () => {
  await using gateway = await createTestGateway({})
  for (const path of ['/livez', '/readyz']) await fetch(`${gateway.url}${path}`)
  expect(gateway.gateway.hasServed()).toBe(false)
  await fetch(`${gateway.url}/v1/models`)
  expect(gateway.gateway.hasServed()).toBe(true)
})
