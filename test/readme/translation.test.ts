import { expect, test } from 'vitest'

import { openCheckout } from './checkout.ts'
import { blocks } from './readme.ts'

const secrets = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2', GEMINI_API_KEY: 'sk-3' }

test.each([
  {
    what: 'about other dialects',
    mark: 'remote: {',
    shows: /remote files +https .*media\.internal/,
  },
  { what: 'with a plugin of events', mark: 'onEvents', shows: /\d+ +shout\n/ },
])('the configuration $what is in order', async ({ mark, shows }) => {
  await using checkout = await openCheckout()
  const example = blocks('ts').find((code) => code.includes(mark)) ?? ''
  await checkout.write('dragoman.config.ts', example)

  const report = await checkout.run('npm start -- check', secrets)

  expect(report).toMatch(shows)
  expect(report).not.toMatch(/sk-[123]/)
})
