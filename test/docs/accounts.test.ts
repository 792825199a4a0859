import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { openCheckout, serving, withoutAdmin } from './checkout.ts'
import { openPage } from './pages.ts'

test('an account of a running gateway is switched by the commands of the page', async () => {
  await using checkout = await openCheckout(withoutAdmin)
  const secrets = { TEAM_A_KEY: 'team-a-secret', OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-2' }
  await checkout.write('dragoman.config.ts', openPage('README.md').block('ts', 'accounts:'))
  const [list = '', disable = '', enable = '', ...more] =
    openPage('docs/operations.md').commands('npm start -- accounts')
  expect(more).toEqual([])
  const server = checkout.start('npm start', secrets)
  const { clients } = await serving(server)
  const models = async () => {
    const headers = { authorization: `Bearer ${secrets.TEAM_A_KEY}` }
    const reply = await fetch(`${clients}/v1/models`, { headers })
    return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
  }
  expect(await models()).toEqual(['fast'])

  await checkout.run(disable, secrets)
  expect(await checkout.run(list, secrets)).toMatch(/^openai-1 +openai +disabled +store/m)
  await until(async () => (await models()).length === 0)
  // Whoever switches need not know the secrets.
  await checkout.run(enable)
  expect(await checkout.run(list)).toMatch(/^openai-1 +openai +enabled/m)
  await until(async () => (await models()).length === 1)
})
