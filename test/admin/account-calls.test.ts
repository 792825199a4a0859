import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { accountOf, act } from './stored-accounts.ts'

function stream({ url, key }: AdminGateway): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/words=5000+pace=50',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }),
  })
}

test('an account that is disabled without a drain loses its calls in all processes', async () => {
  await using sandbox = await startSandbox()
  const store = openMemoryStore()
  const account = {
    id: 'a',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
  }
  const options = { store, accounts: [account, { ...account, id: 'b', enabled: false }] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  const running = [await stream(one), await stream(other)]
  await until(async () => {
    const { inFlight } = (await accountOf(one, 'a')) as unknown as { inFlight: number }
    return inFlight === 2
  })
  const { data } = await one.graph<{ act: object }>(
    `mutation { act: disableAccount(input: {id: "a", reason: "x", drain: false}) {
      __typename ... on DisableAccountSuccess { running } } }`,
  )
  expect(data.act).toEqual({ __typename: 'DisableAccountSuccess', running: 2 })
  const texts = await Promise.all(running.map((reply) => reply.text()))
  for (const text of texts) expect(text).toContain('exchange_cancelled')
})

test('the state of an account is the same in all processes at once, also after an operator has changed it', async () => {
  await using upstream = await startFakeAccount(
    answerJson(
      { error: { message: 'slow down', code: 'rate_limit_exceeded' } },
      { status: 429, headers: { 'retry-after': '60' } },
    ),
  )
  const store = openMemoryStore()
  const account = { id: 'one', provider: 'openai', baseUrl: upstream.url, apiKey: 'k' }
  const options = { store, accounts: [{ ...account, speaks: ['chat'], models: ['m'] }] }
  await using one = await startAdminGateway(options)
  await using other = await startAdminGateway(options)
  const reply = await fetch(`${one.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${one.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })
  expect(reply.status).toBe(429)
  await until(async () => (await accountOf(other, 'one')).state === 'COOLING')
  expect((await accountOf(one, 'one')).state).toBe('COOLING')
  const { data } = await other.graph<{ accounts: { edges: object[] } }>(
    '{ accounts(filter: {state: COOLING}) { edges { node { id exclusions { processId kind } } } } }',
  )
  expect(data.accounts.edges).toEqual([
    {
      node: { id: 'one', exclusions: [{ processId: one.services.processes.id, kind: 'COOLING' }] },
    },
  ])
  // The one that has not seen it ends it, and knows at once.
  const cleared = await act(other, 'clearCoolDown', { id: 'one' })
  expect(cleared).toMatchObject({ ended: 1, account: { state: 'ENABLED', coolDowns: [] } })
  expect((await accountOf(one, 'one')).state).toBe('ENABLED')
})
