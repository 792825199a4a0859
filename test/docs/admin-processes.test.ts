import { expect, test } from 'vitest'

import { openCheckout, serving } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

const [start = '', ask = '', follow = ''] = openPage('docs/admin-processes.md').blocks('sh')

test('an operator asks any worker for all, and follows all of them', async () => {
  await using checkout = await openCheckout()
  const { admin } = await serving(checkout.start(start))
  const asked = await checkout.run(addressed(ask, { admin }))
  expect(asked).toContain('"ready":true')
  // Until the first event, which each process has within five seconds.
  const first = addressed(follow, { admin }).replace('curl', 'curl --max-time 8 -s')
  expect(await checkout.run(`${first} || true`)).toContain('PulseSample')
}, 60_000)
