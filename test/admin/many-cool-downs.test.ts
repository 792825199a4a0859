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

interface Readiness {
  readonly processes: { readonly known: { id: string; more_kept_out?: number }[] }
  readonly kept_out: { readonly kind: string; readonly process: string }[]
}

test('an open circuit is shown by all replicas, whatever number of models a key makes cool down', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const { id } = one.services.processes
  for (let models = 0; models < 12; models++) await chat(one, `cool-${models}`)
  await openCircuit(one)
  expect(await chat(one, 'bad', 'second')).toBe(503)
  await until(async () => (await accountOf(other, 'any')).state === 'circuit-open', longMs)
  for (const each of [one, other]) {
    const shown = await accountOf(each, 'any')
    expect(shown).toMatchObject({ state: 'circuit-open', circuits: circuit })
    expect(shown.stateReason).toContain('dialect chat')
  }
  const read = async (fields: string, from = other) =>
    (await from.graph(`{ account(id: "any") { ${fields} } }`, {}, 'viewer')).extensions
  // The other replica knows ten causes of thirteen, and the gravest of them.
  for (const list of ['exclusions', 'circuits', 'coolDowns']) {
    expect(await read(`${list} { kind }`)).toEqual({ incomplete: [id] })
    expect(await read(`${list} { kind }`, one)).toEqual({})
  }
  expect(await read('processes { exclusions { kind } }')).toEqual({ incomplete: [id] })
  expect(await read('state stateReason')).toEqual({})
  const query = `{ account(id: "any") { processes { moreExclusions exclusions { kind } } }
    gateway { processes { accounts { moreExclusions } } } }`
  const { data } = await one.graph(query, {}, 'viewer')
  expect(data).toMatchObject({
    account: { processes: [{ moreExclusions: 3 }] },
    gateway: { processes: [{ accounts: [{ moreExclusions: 3 }] }, {}] },
  })
  for (const each of [one, other]) {
    const readiness = (await each.running.health.everywhere?.()) as unknown as Readiness
    expect(readiness.kept_out[0]).toMatchObject({ kind: 'circuit', dialect: 'chat', process: id })
    const cut = readiness.processes.known.filter((known) => known.more_kept_out !== undefined)
    expect(cut).toMatchObject([{ id, more_kept_out: 3 }])
  }
})

test('a dry run names the process that has more causes for a candidate than its record shows', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const { id } = one.services.processes
  const query = `{ explain(input: {keyId: "test", dialect: "chat", model: "cool-0"}) {
    chosen { accountId elsewhere { processId model } } } }`
  type Dry = { explain: { chosen: { elsewhere: { model: string }[] } } }
  const lackOf = async () => Object(await other.graph<Dry>(query)).extensions
  expect(await lackOf()).toEqual({})
  for (let models = 0; models < 12; models++) await chat(one, `cool-${models}`)
  await until(async () => (await accountOf(other, 'any')).state === 'cooling', longMs)
  await until(async () => 'incomplete' in (await lackOf()), longMs)
  expect(await lackOf()).toEqual({ incomplete: [id] })
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
