import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('a newcomer sees failover and a cool-down as the page shows', async () => {
  const page = openPage('docs/routing.md')
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout(withoutAdmin)
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const config = page.block('ts', 'reserve')
  expect(addressed(config, { sandbox })).toContain(sandbox)
  await checkout.write('dragoman.config.ts', addressed(config, { sandbox }))
  const { clients } = await serving(checkout.start(start))
  const ask = () => checkout.run(addressed(curl, { clients }))

  const first = await ask()
  expect(first).toContain('HTTP/1.1 200')
  expect(first).toMatch(/x-dragoman-route: .*"account":"reserve","attempts":2/)
  const second = await ask()
  expect(second).toMatch(
    /"account":"reserve","attempts":1,"attempted":\[\{"account":"reserve","status":200,"ms":[\d.]+\}\],"excluded":\[\{"account":"first"/,
  )
})
