import { expect, test } from 'vitest'

import { openCheckout, printed } from './checkout.ts'
import { blocks, shownAddress } from './readme.ts'

test('a newcomer makes and edits images as the README shows', async () => {
  await using checkout = await openCheckout()
  const server = checkout.start('npm start')
  const [, url = ''] = await printed(server, /Listening on (http:\S+) \(API\)/)
  const [, key = ''] = await printed(server, /export DRAGOMAN_KEY=(\S+)/)
  const code = blocks('ts').find((block) => block.includes('client.images.edit')) ?? ''
  const ours = code.replace("from 'openai'", "from 'openai-7'").replaceAll(shownAddress, url)
  await checkout.write('images.ts', ours)
  const output = await checkout.run('node_modules/.bin/node images.ts', { DRAGOMAN_KEY: key })
  expect(output).toContain('1536x1024 png 388')
  expect(await checkout.run('head -c 4 hats.png')).toContain('PNG')
})
