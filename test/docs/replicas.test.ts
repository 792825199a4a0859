import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import OpenAI from 'openai-7'
import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, openPlace, type Place, statusWithKey } from '../cli/dragoman.ts'
import { openCheckout } from './checkout.ts'
import { openPage, repository } from './pages.ts'

const example = pathToFileURL(join(repository, 'config/replicas.config.ts')).href

/** What the example asks for, with keys that the sandbox knows. */
const environment = (redisUrl: string) => ({
  REDIS_URL: redisUrl,
  OPENAI_API_KEY_1: 'sandbox-key-a',
  OPENAI_API_KEY_2: 'sandbox-key-b',
  ANTHROPIC_API_KEY: 'sandbox-key-a',
})

/** The example as it stands, but that its accounts are the sandbox's. */
function atSandbox(url: string): string {
  return `
    import replicas from '${example}'
    const baseUrl = ({ provider }) => '${url}' + (provider === 'openai' ? '/v1' : '')
    const accounts = replicas.accounts.map((one) => ({ ...one, baseUrl: baseUrl(one) }))
    export default { ...replicas, accounts }
  `
}

async function serve(place: Place, env: Record<string, string>) {
  const ports = '--host 127.0.0.1 --port 0 --admin-port 0'
  const server = place.start(`serve ${ports}`, env)
  return { server, url: (await addressesOf(server)).clients }
}

const connect = (url: string, secret: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: secret, maxRetries: 0 })

/** One step of a chain, and the account that it came from. */
async function ask(client: OpenAI, previous?: string) {
  const { data, response } = await client.responses
    .create({ model: 'gpt-5', input: 'hi', ...(previous && { previous_response_id: previous }) })
    .withResponse()
  return { id: data.id, status: data.status, account: response.headers.get('x-dragoman-account') }
}

test('two gateways serve with the example for replicas, and a chain goes on at either', async () => {
  await using redis = await startRedis()
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  await place.write('dragoman.config.mjs', atSandbox(sandbox.url))
  const env = environment(redis.url)
  const issued = await place.run('keys create --id team', env)
  const secret = issued.stdout.trim()
  const [one, two] = await Promise.all([serve(place, env), serve(place, env)])
  const [here, there] = [connect(one.url, secret), connect(two.url, secret)]

  const first = await ask(here)
  const second = await ask(there, first.id)
  const third = await ask(here, second.id)
  expect([first, second, third].map(({ status }) => status)).toEqual(Array(3).fill('completed'))
  expect(['openai-1', 'openai-2']).toContain(first.account)
  expect([second.account, third.account]).toEqual([first.account, first.account])

  one.server.child.kill('SIGKILL')
  await one.server.ended
  expect(await ask(there, third.id)).toMatchObject({ status: 'completed', account: first.account })
  expect(await there.responses.retrieve(third.id)).toMatchObject({ id: third.id })
})

test('a key is issued and revoked for both gateways at once', async () => {
  await using redis = await startRedis()
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  await place.write('dragoman.config.mjs', atSandbox(sandbox.url))
  const env = environment(redis.url)
  await place.run('keys create --id first', env)
  const both = await Promise.all([serve(place, env), serve(place, env)])
  const { stdout: secret } = await place.run('keys create --id late', env)
  const statuses = () => Promise.all(both.map(({ url }) => statusWithKey(url, secret)))

  await until(async () => (await statuses()).every((status) => status === 200))
  await place.run('keys revoke late', env)
  await until(async () => (await statuses()).every((status) => status === 401))
})

test('the example for replicas is in order as it stands, and shows no secret', async () => {
  await using redis = await startRedis()
  await using checkout = await openCheckout()
  const env = { ...environment(redis.url), ANTHROPIC_API_KEY: 'canary-of-the-secrets' }
  const check = openPage('docs/operations.md').block('sh', 'replicas')

  const report = await checkout.run(check, env)
  expect(report).toContain('No problems.')
  expect(report).toMatch(/openai-1[^]*openai-2[^]*claude/)
  expect(report).not.toContain('canary-of-the-secrets')

  const { REDIS_URL: _, ...incomplete } = env
  const refused = await checkout.run(check, incomplete).catch(String)
  expect(refused).toMatch(/ended with 3[^]*REDIS_URL is not set/)
})
