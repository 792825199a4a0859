import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { resolveSettings } from '../../src/configuration/resolve.ts'
import { firstKey, openCheckout, serving, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'
import { printed } from './shells.ts'

const page = openPage('docs/logs.md')

test('the first command of the page shows a call as a line for people', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const server = checkout.start(page.blocks('sh')[0] ?? '')
  const { clients } = await serving(server)
  const authorization = `Bearer ${await firstKey(server)}`
  await (await fetch(`${clients}/v1/models`, { headers: { authorization } })).text()
  await printed(server, /^\d\d:\d\d:\d\d\.\d{3}Z 200 GET \/v1\/models \d+ ms key=\S+$/m)
})

test('the settings of the page are valid', () => {
  const blocks = [...page.text.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = '']) => text)
  expect(blocks).toHaveLength(2)
  for (const block of blocks) {
    expect(() => resolveSettings(parse(block), { env: {} })).not.toThrow()
  }
})
