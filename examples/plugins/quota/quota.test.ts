import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { createTestGateway, pluginContract, startSandbox } from 'dragoman/testing'

import quota, { options } from './quota.ts'

for (const check of pluginContract({ make: () => quota({ callsPerDay: 1_000 }) })) {
  test(check.name, check.run)
}

const noon = Date.parse('2030-01-31T12:00:00Z')
const hourMs = 3_600_000

/** A gateway with the quota before a sandbox, at noon of a day that ends when a test says so. */
async function start(given: Parameters<typeof quota>[0]) {
  mock.timers.enable({ apis: ['Date'], now: noon })
  const sandbox = await startSandbox()
  const gateway = await createTestGateway({
    keys: ['ada', 'bob', 'eve'].map((id) => ({ id, secret: `secret-of-${id}` })),
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
      },
    ],
    plugins: [quota(given)],
  })
  const ask = async (key: string) => {
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer secret-of-${key}` },
      body: JSON.stringify({ model: 'sandbox/echo', input: 'Hello' }),
    })
    await response.arrayBuffer()
    return response
  }
  return {
    gateway,
    ask,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await sandbox[Symbol.asyncDispose]()
      mock.timers.reset()
    },
  }
}

test('a key has its calls of the day, and no more; another key has its own', async () => {
  await using scene = await start({ callsPerDay: 2 })
  const statuses = []
  for (const key of ['ada', 'ada', 'ada', 'bob']) statuses.push((await scene.ask(key)).status)
  assert.deepEqual(statuses, [200, 200, 429, 200])
  const refused = await scene.ask('ada')
  assert.equal(refused.headers.get('retry-after'), String(12 * 3_600))
})

test('the next day begins at midnight', async () => {
  await using scene = await start({ callsPerDay: 1 })
  await scene.ask('ada')
  mock.timers.setTime(noon + 12 * hourMs - 1)
  assert.equal((await scene.ask('ada')).status, 429)
  mock.timers.setTime(noon + 12 * hourMs)
  assert.equal((await scene.ask('ada')).status, 200)
})

test('of calls at the same time, only those within the quota pass', async () => {
  await using scene = await start({ callsPerDay: 3 })
  const replies = await Promise.all(Array.from({ length: 8 }, () => scene.ask('ada')))
  assert.equal(replies.filter(({ status }) => status === 200).length, 3)
})

test('a key may have a quota of its own, none at all included', async () => {
  await using scene = await start({ callsPerDay: 1, keys: { bob: 2, eve: 0 } })
  const statuses = []
  for (const key of ['bob', 'bob', 'bob', 'eve']) statuses.push((await scene.ask(key)).status)
  assert.deepEqual(statuses, [200, 200, 429, 429])
})

test('the access log tells how many calls a key has made today', async () => {
  await using scene = await start({ callsPerDay: 9 })
  await scene.ask('ada')
  await scene.ask('ada')
  const lines = await scene.gateway.logged(2)
  const counts = lines.map(({ plugins }) => plugins)
  assert.deepEqual(counts, [
    { 'daily-quota': { callsToday: 1 } },
    { 'daily-quota': { callsToday: 2 } },
  ])
})

test('options that make no sense are refused', () => {
  const paths = options.safeParse({ callsPerDay: 0, key: {} }).error?.issues.map(({ code }) => code)
  assert.deepEqual(paths, ['too_small', 'unrecognized_keys'])
})
