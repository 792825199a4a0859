import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf } from './checkout.ts'
import { addressed, openPage } from './pages.ts'

test('the plugin of the page answers a repeated question itself', async () => {
  const page = openPage('docs/plugins.md')
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout()
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const config = addressed(page.block('ts', 'answer-cache'), { sandbox })
  expect(config).toContain(sandbox)
  await checkout.write('dragoman.config.ts', config)
  const { clients } = await serving(checkout.start(start))
  const ask = () => checkout.run(addressed(curl, { clients }))

  const [first, second] = [await ask(), await ask()]
  expect(first).toContain('HTTP/1.1 200')
  expect(first).not.toContain('x-answer-cache')
  expect(second).toContain('x-answer-cache: hit')
  const idOf = (answer: string) => /"id":"(chatcmpl-\w+)"/.exec(answer)?.[1]
  expect(idOf(second)).toBe(idOf(first))
  expect(idOf(first)).toBeTruthy()
})
