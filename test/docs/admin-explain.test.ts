import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('an operator has a request explained as the page shows', async () => {
  const page = openPage('docs/admin-explain.md')
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout()
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const config = page.block('ts', 'claude')
  await checkout.write('dragoman.config.ts', addressed(config, { sandbox }))
  const { admin } = await serving(checkout.start(start))
  const answer = await checkout.run(addressed(curl, { admin }))
  expect(JSON.parse(answer)).toMatchObject({
    data: {
      explain: {
        resolvedModel: 'sandbox/echo',
        chosen: { accountId: 'claude', native: false },
        excluded: [{ accountId: 'off', by: 'operator', reason: 'it is disabled' }],
        losses: [{ field: 'seed' }],
        answer: null,
      },
    },
  })
})
