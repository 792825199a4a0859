import { expect, test } from 'vitest'

import { startFakeAccount } from '../../src/testing/fake-account.ts'
import { listedNames, openAiList } from '../walks/listed-models/lists.ts'
import { addressesOf, openPlace, withoutAdmin } from './dragoman.ts'

test.concurrent('the models of provider keys in the environment are listed', async () => {
  await using account = await startFakeAccount(openAiList('gpt-5', 'tts-1'))
  await using place = await openPlace()
  const env = { OPENAI_API_KEY: 'sk-of-the-environment', OPENAI_BASE_URL: `${account.url}/v1` }
  const server = place.start(withoutAdmin, env)
  const { clients } = await addressesOf(server)
  const [, secret = ''] = await server.said(/export DRAGOMAN_KEY=(dgm_\S+)\n/)
  const names = await listedNames(clients, secret)
  expect(names.filter((name) => !name.startsWith('sandbox/'))).toEqual(['gpt-5'])
  expect(account.requests[0]?.headers.authorization).toBe(`Bearer ${env.OPENAI_API_KEY}`)
})

test.concurrent('where a plugin identifies callers, others can reach an address without a key', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `const badges = { name: 'badges', onAuthenticate: () => undefined }
    const accounts = [{ id: 'a', provider: 'openai', apiKey: 'k', models: ['m'] }]
    export default { accounts, plugins: [badges] }`,
  )
  expect(await place.run('check --host 0.0.0.0')).toMatchObject({ code: 0 })
  const { clients } = await addressesOf(place.start(`${withoutAdmin} --host 0.0.0.0`))
  expect(clients).toMatch(/^http:\/\/0\.0\.0\.0:/)
})
