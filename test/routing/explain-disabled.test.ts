import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type TestGateway, createTestGateway } from '../../src/testing/gateway.ts'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

const keys = [{ id: 'operator', secret: 'secret-of-operator', explain: true }]

/** One account that serves, and others that an operator has taken out. */
function start({ url }: Sandbox, isServed = true): Promise<TestGateway> {
  const account = { provider: 'sandbox', baseUrl: url, apiKey: 'sandbox-key-a' }
  return createTestGateway({
    keys,
    accounts: [
      { ...account, id: 'on', models: ['sandbox/echo'], enabled: isServed },
      { ...account, id: 'off', models: ['sandbox/*'], enabled: false },
      { ...account, id: 'foreign', models: ['*'], speaks: ['messages'], enabled: false },
      { ...account, id: 'elsewhere', models: ['claude-*'], enabled: false },
    ],
  })
}

/** How a call was routed, as its client is told. */
async function routeOf(gateway: TestGateway, path: string, body: object) {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer secret-of-operator',
      'content-type': 'application/json',
      'x-dragoman-explain': '1',
    },
    body: JSON.stringify({ model: 'sandbox/echo', ...body }),
  })
  await response.body?.cancel()
  const told = response.headers.get('x-dragoman-route')
  return { status: response.status, route: JSON.parse(told ?? 'null') as unknown }
}

const greeting = { messages: [{ role: 'user', content: 'hi' }] }
const disabled = (account: string) => ({ account, by: 'operator', reason: 'it is disabled' })

test('a client that asks is told of disabled accounts that have the model', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await start(sandbox)

  expect(await routeOf(gateway, '/v1/chat/completions', greeting)).toMatchObject({
    status: 200,
    route: { account: 'on', attempts: 1, excluded: [disabled('off'), disabled('foreign')] },
  })
})

test('a client that nobody can serve is told that all are disabled', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await start(sandbox, false)

  expect(await routeOf(gateway, '/v1/chat/completions', greeting)).toMatchObject({
    status: 503,
    route: { account: null, excluded: ['on', 'off', 'foreign'].map(disabled) },
  })
})

test('an account that could not be asked anyway is not told of', async () => {
  await using sandbox = await startSandbox()
  await using gateway = await start(sandbox)

  // Tokens are counted in the account's own dialect alone.
  const counted = await routeOf(gateway, '/v1/responses/input_tokens', { input: 'hi' })
  expect(counted).toMatchObject({ status: 200, route: { excluded: [disabled('off')] } })
})
