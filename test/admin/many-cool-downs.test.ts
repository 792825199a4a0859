import { expect, test, vi } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { follow } from './live-client.ts'
import { accountOf, act } from './stored-accounts.ts'

vi.setConfig({ testTimeout: 60_000 })

const longMs = 20_000

/** Two replicas. An account takes any name of a model: it asks for pauses, or it fails. */
async function startReplicas() {
  await using opening = new AsyncDisposableStack()
  const upstream = opening.use(
    await startFakeAccount((response, request) => {
      const error = { message: 'no' }
      const status = request.body.includes('cool-')
        ? { status: 429, headers: { 'retry-after': '500' } }
        : { status: 500 }
      return answerJson({ error }, status)(response, request)
    }),
  )
  const account = {
    id: 'any',
    provider: 'openai',
    speaks: ['chat', 'responses'],
    baseUrl: `${upstream.url}/v1`,
    apiKey: 'account-canary',
    models: ['*'],
  }
  const idle = { ...account, id: 'idle', speaks: ['videos'], models: ['camera'] }
  const keys = ['test', 'second'].map((id) => ({ id, secret: `${id}-secret` }))
  const options = { store: openMemoryStore(), accounts: [account, idle], keys }
  const one = opening.use(await startAdminGateway(options))
  const other = opening.use(await startAdminGateway(options))
  const opened = opening.move()
  return { one, other, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function post({ url }: AdminGateway, path: string, key: string, body: object) {
  const reply = await fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}-secret`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await reply.text()
  return reply.status
}

function chat(gateway: AdminGateway, model: string, key = 'test'): Promise<number> {
  return post(gateway, 'chat/completions', key, {
    model,
    messages: [{ role: 'user', content: 'x' }],
  })
}

/** Opens the circuit of chat: of all keys, since several have failed. */
async function openCircuit(gateway: AdminGateway): Promise<void> {
  for (let calls = 0; calls < 8; calls++) await chat(gateway, 'bad', calls % 2 ? 'second' : 'test')
}

const circuit = [{ by: 'account-health', dialect: 'chat' }]

interface Shown {
  readonly exclusions: readonly object[]
  readonly processes: readonly { readonly exclusions: readonly object[] }[]
}

interface Readiness {
  readonly kept_out: { readonly kind: string; readonly process: string }[]
}

test('an open circuit is shown by all replicas, whatever number of models a key makes cool down', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const { id } = one.services.processes
  for (let models = 0; models < 12; models++) await chat(one, `cool-${models}`)
  await openCircuit(one)
  expect(await chat(one, 'bad', 'second')).toBe(503)
  await until(async () => (await accountOf(other, 'any')).serves === 'SOME', longMs)
  for (const each of [one, other]) {
    const shown = await accountOf(each, 'any')
    expect(shown).toMatchObject({ serves: 'SOME', circuits: circuit })
    expect(shown.stateReason).toContain('dialect chat')
  }
  // Each process names the ten gravest of its thirteen causes.
  const query = '{ account(id: "any") { exclusions { kind } processes { exclusions { kind } } } }'
  const { data, extensions } = await other.graph<{ account: Shown }>(query, {}, 'viewer')
  expect(extensions).toEqual({})
  expect(data.account.exclusions).toHaveLength(10)
  expect(data.account.processes.map(({ exclusions }) => exclusions.length)).toEqual([10])
  for (const each of [one, other]) {
    const readiness = (await each.running.health.cluster?.()) as unknown as Readiness
    expect(readiness.kept_out[0]).toMatchObject({ kind: 'circuit', dialect: 'chat', process: id })
  }
})

test('no circuit that is open is said to close while models cool down', async () => {
  await using replicas = await startReplicas()
  const { one } = replicas
  using all = follow(one.adminUrl, one.token('viewer'), ['CIRCUITS', 'ACCOUNTS'])
  const { live } = one.services.processes
  await until(() => live.wanted.CIRCUITS && live.wanted.ACCOUNTS, longMs)
  await openCircuit(one)
  const circuits = () => all.events.flatMap((event) => event.circuit ?? [])
  await until(() => circuits().length === 1, longMs)
  for (let models = 0; models < 12; models++) {
    await post(one, 'responses', 'test', { model: `cool-${models}`, input: 'x' })
  }
  await until(() => all.events.some((event) => event.exclusions?.length === 10), longMs)
  expect(await chat(one, 'bad', 'second')).toBe(503)
  // An event of a later look.
  await act(one, 'disableAccount', { id: 'idle', reason: 'drill' })
  await until(() => all.events.some((event) => event.enabled === false), longMs)
  expect(circuits()).toEqual(['OPEN'])
})
