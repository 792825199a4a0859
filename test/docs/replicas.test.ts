import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { openCheckout, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'

const check = openPage('docs/operations.md').block('sh', 'replicas')

test('the example for replicas is in order as it stands, and shows no secret', async () => {
  const password = 'canary-of-the-secrets'
  await using redis = await startRedis('--requirepass', password)
  await using checkout = await openCheckout(withoutAdmin)
  const report = await checkout.run(check, {
    REDIS_URL: redis.url.replace('//', `//:${password}@`),
  })
  expect(report).toContain('No problems.')
  expect(report).toMatch(/sandbox-a[^]*sandbox-b/)
  expect(report).not.toContain(password)
})

test('the example for replicas names the variable that is missing', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const refused = await checkout.run(check).catch(String)
  expect(refused).toMatch(/ended with 3[^]*REDIS_URL is not set/)
})
