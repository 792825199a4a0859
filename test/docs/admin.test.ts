import { expect, test } from 'vitest'

import { openCheckout, serving } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

const [create = '', start = '', ask = '', list = '', revoke = '', act = '', ...more] =
  openPage('docs/admin.md').blocks('sh')

test('an operator creates a token and asks who it is', async () => {
  await using checkout = await openCheckout()
  await checkout.run(create)
  const { admin } = await serving(checkout.start(start))
  const answer = await checkout.run(addressed(ask, { admin }))
  expect(answer).toContain('"viewer":{"id":"ops","role":"operator"')
  expect(answer).toContain('{"node":{"id":"sandbox","state":"enabled"}}')

  expect(await checkout.run(list)).toMatch(/ops +active +operator/)
  await checkout.run(revoke)
  expect(await checkout.run(list)).toMatch(/ops +revoked +operator/)
})

test('an administrator creates a token by the mutation of the page', async () => {
  await using checkout = await openCheckout()
  const token = 'a'.repeat(32)
  const { admin } = await serving(checkout.start(start, { DRAGOMAN_ADMIN_TOKEN: token }))
  const answer = await checkout.run(addressed(act, { admin }), { ADMIN_TOKEN: token })
  expect(answer).toMatch(/"__typename":"CreateAdminTokenSuccess","secret":"dga_[\w-]{43}"/)
  expect(more).toEqual([])
})
