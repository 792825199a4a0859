import { expect, test } from 'vitest'

import { openCheckout, serving, startSandboxOf, withoutAdmin } from './checkout.ts'
import { addressed, openPage } from './pages.ts'
import { printed } from './shells.ts'

const page = openPage('docs/translation.md')

test('a newcomer sees a translated call as the page shows', async () => {
  const [startSandbox = '', start = '', curl = '', ...more] = page.blocks('sh')
  expect(more).toEqual([])
  await using checkout = await openCheckout(withoutAdmin)
  const { url: sandbox } = await startSandboxOf(checkout, startSandbox)
  const config = addressed(page.block('ts', "speaks: ['chat']"), { sandbox })
  expect(config).toContain(sandbox)
  await checkout.write('dragoman.config.ts', config)
  const server = checkout.start(start)
  const { clients } = await serving(server)

  const answer = await checkout.run(addressed(curl, { clients }))
  expect(answer).toContain('"account_dialect":"chat"')
  expect(answer).toContain('"type":"message"')
  expect(answer).toContain('You said: Hello')
  await printed(server, /"dialect":"messages","account_dialect":"chat"/)
})

const secrets = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2', GEMINI_API_KEY: 'sk-3' }

test.each([
  {
    what: 'about other dialects',
    example: page.block('ts', 'remote: {'),
    shows: /remote files +https .*media\.internal/,
  },
  {
    what: 'with a plugin of events',
    example: openPage('docs/plugins.md').block('ts', "name: 'shout'"),
    shows: /\d+ +shout\n/,
  },
])('the configuration $what is in order', async ({ example, shows }) => {
  await using checkout = await openCheckout(withoutAdmin)
  await checkout.write('dragoman.config.ts', example)

  const report = await checkout.run('npm start -- check', secrets)

  expect(report).toMatch(shows)
  expect(report).not.toMatch(/sk-[123]/)
})
