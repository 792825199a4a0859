import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { printed } from './shells.ts'

test('a newcomer sees the directives and opens a circuit as the page shows', async () => {
  const page = openPage('docs/sandbox.md')
  const [startSandbox = '', help = '', start = '', fail = '', ask = '', probe = '', ...more] =
    page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout()
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const directives = await checkout.run(addressed(help, { sandbox }))
  for (const [, name = ''] of page.section('Steering').matchAll(/[/+](\w+(?:-\w+)*)=/g)) {
    expect(directives).toMatch(new RegExp(`^ +${name} `, 'm'))
  }

  const config = addressed(page.block('ts', 'accounts:'), { sandbox })
  expect(config).toContain(sandbox)
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start(start)
  const { clients, admin } = await serving(server)
  await checkout.run(addressed(fail, { clients }))

  expect(await checkout.run(addressed(ask, { clients }))).toMatch(
    /HTTP\/1\.1 503[^]*retry-after: \d/,
  )
  await printed(server, /circuit opened/)
  const ready = await checkout.run(addressed(probe, { admin }))
  expect(ready).toMatch(/"account":"sandbox-a","family":"chat","state":"open"/)
})
