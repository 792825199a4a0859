import { expect, test } from 'vitest'

import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('a newcomer makes and edits images as the page shows', async () => {
  const page = openPage('docs/images.md')
  const [start = '', run = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start(start)
  const { clients } = await serving(server)
  const code = page.block('js', 'client.images.edit').replace("from 'openai'", "from 'openai-7'")
  await checkout.write('images.mjs', addressed(code, { clients }))
  const output = await checkout.run(run, { DRAGOMAN_KEY: await firstKey(server) })
  expect(output).toContain('1536x1024 png 388')
  expect(await checkout.run('head -c 4 hats.png')).toContain('PNG')
})
