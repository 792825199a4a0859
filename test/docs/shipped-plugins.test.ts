import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('the plugins of the page mask a number, and answer a repeated question', async () => {
  const page = openPage('docs/shipped-plugins.md')
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout(withoutAdmin)
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  await checkout.write(
    'dragoman.config.yaml',
    addressed(page.block('yaml', 'response-cache'), { sandbox }),
  )
  const { clients } = await serving(checkout.start(start))
  const ask = () => checkout.run(addressed(curl, { clients }))

  const first = await ask()
  expect(first).toContain('x-dragoman-cache: miss')
  expect(first).toContain('Mine is [removed]')
  await expect.poll(ask).toContain('x-dragoman-cache: hit')
})

test('the options of the page are options of the plugins', async () => {
  const page = openPage('docs/shipped-plugins.md')
  const env = { OPENAI_API_KEY: 'sk-of-the-moderation' }
  for (const name of ['plugins/jwt', 'url: https://api.openai.com']) {
    await using checkout = await openCheckout(withoutAdmin)
    await checkout.write('dragoman.config.yaml', page.block('yaml', name))
    const printed = await checkout.run('npm start --silent -- config print', env)
    expect(printed).toContain('plugins[0].options')
    expect(printed).not.toContain('sk-of-the-moderation')
  }
})
