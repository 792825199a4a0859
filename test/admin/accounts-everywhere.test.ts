import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'
import { openPlace } from '../cli/dragoman.ts'
import { accountOf, accountsOf, act, ask } from './stored-accounts.ts'

vi.setConfig({ testTimeout: 60_000 })

const longMs = 20_000

/** Two replicas on one store, with one account at a sandbox. */
async function startReplicas(store: Store = openMemoryStore()) {
  await using opening = new AsyncDisposableStack()
  const sandbox = opening.use(await startSandbox())
  const account = {
    id: 'one',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['sandbox/*'],
  }
  const keys = [
    { id: 'test', secret: 'test-secret' },
    { id: 'second', secret: 'second-secret' },
  ]
  const options = { store, accounts: [account], keys }
  const one = opening.use(await startAdminGateway(options))
  const other = opening.use(await startAdminGateway(options))
  const known = '{ gateway { processes { id } } }'
  for (const each of [one, other]) {
    await until(async () => {
      const { data } = await each.graph<{ gateway: { processes: object[] } }>(known)
      return data.gateway.processes.length === 2
    }, longMs)
  }
  const opened = opening.move()
  return { one, other, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

test('an account that one process cannot use is shown so by each; an operator of any readmits it', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  for (let calls = 0; calls < 5; calls++) await ask(one, 'sandbox/status=500')
  expect((await accountOf(one, 'one')).serves).toBe('SOME')
  await until(async () => (await accountOf(other, 'one')).serves === 'SOME', longMs)
  expect(await accountOf(other, 'one')).toMatchObject({
    enabled: true,
    stateReason: expect.stringContaining('dialect chat') as string,
    circuits: [{ dialect: 'chat' }],
  })
  expect(await accountsOf(other, 'serves: SOME')).toHaveLength(1)
  expect(await accountsOf(other, 'serves: ALL')).toEqual([])

  const reset = await act(other, 'resetCircuit', { id: 'one' })
  expect(reset).toMatchObject({ ended: 1, account: { state: 'ENABLED', circuits: [] } })
  expect(await ask(one, 'sandbox/words=1')).toBe(200)

  for (const each of [one, other]) await ask(each, 'sandbox/status=429+retry-after=300')
  await until(async () => (await coolingIn(other)) === 2, longMs)
  // Each process pauses by itself.
  expect((await accountOf(other, 'one')).coolDowns).toHaveLength(2)
  const cleared = await act(one, 'clearCoolDown', { id: 'one' })
  expect(cleared).toMatchObject({ ended: 2, account: { state: 'ENABLED', coolDowns: [] } })
})

interface Explained {
  readonly explain: {
    readonly processId: string
    readonly candidates: readonly {
      readonly elsewhere: readonly { readonly processId: string }[]
    }[]
    readonly excluded: readonly { readonly by: string }[]
  }
}

test('a dry run names its process, and the others that keep calls from a candidate', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const explain = async (gateway: AdminGateway, dialect: string, keyId = 'test') => {
    const { data } = await gateway.graph<Explained>(
      `query ($keyId: ID!, $dialect: String!) {
        explain(input: {keyId: $keyId, dialect: $dialect, model: "sandbox/status=500"}) {
          processId excluded { by } candidates { elsewhere { processId kind dialect } } } }`,
      { keyId, dialect },
      'viewer',
    )
    return data.explain
  }
  for (let calls = 0; calls < 5; calls++) await ask(one, 'sandbox/status=500')
  const here = await explain(one, 'chat')
  expect(here).toMatchObject({ excluded: [{ by: 'account-health' }] })

  await until(async () => (await accountOf(other, 'one')).serves === 'SOME', longMs)
  const there = await explain(other, 'chat')
  expect(there.processId).not.toBe(here.processId)
  expect(there.candidates).toContainEqual({
    elsewhere: [{ processId: here.processId, kind: 'CIRCUIT', dialect: 'chat' }],
  })
  // The circuit is of one dialect, model and key.
  expect((await explain(other, 'messages')).candidates).toEqual([{ elsewhere: [] }])
  expect((await explain(other, 'chat', 'second')).candidates).toContainEqual({ elsewhere: [] })

  const url = { DRAGOMAN_ADMIN_URL: other.adminUrl, DRAGOMAN_ADMIN_TOKEN: other.token('viewer') }
  await using place = await openPlace()
  const words = 'explain --key test --dialect chat --model sandbox/status=500'
  const { stdout, stderr } = await place.call(words, url)
  expect(stdout).toContain(
    `other process ${here.processId}: circuit (chat, sandbox/status=500, key test): circuit open: 5 of 5 calls got 500`,
  )
  expect(stderr).toContain(`The process ${there.processId} has these`)
})

/** In how many processes the account cools down. */
async function coolingIn(gateway: AdminGateway): Promise<number> {
  const { data } = await gateway.graph<{ account: { processes: InProcess[] } }>(
    '{ account(id: "one") { processes { exclusions { kind } } } }',
  )
  const { processes } = data.account
  return processes.filter(({ exclusions }) => exclusions.some(({ kind }) => kind === 'COOLING'))
    .length
}

interface InProcess {
  readonly exclusions: readonly { readonly kind: string }[]
}

async function stream({ url, key }: AdminGateway): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/words=5000+pace=50',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
    }),
  })
}

const disable = `mutation ($drain: Boolean) {
  disableAccount(input: {id: "one", reason: "leaked", drain: $drain}) {
    ... on DisableAccountSuccess { running account { inFlight } } } }`

interface Disabled {
  readonly disableAccount: { readonly running: number }
}

test('calls under way of all processes go on when an account is drained, and end when it is not', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const streams = await Promise.all([stream(one), stream(other)])
  const inFlight = '{ account(id: "one") { inFlight } }'
  await until(async () => {
    const { data } = await one.graph<{ account: { inFlight: number } }>(inFlight)
    return data.account.inFlight === 2
  }, longMs)
  const drained = await one.graph<Disabled>(disable, { drain: true })
  expect(drained.data.disableAccount.running).toBe(2)
  const readers = streams.map(({ body }) => body!.getReader())
  for (const reader of readers) {
    // Through what has arrived before, to what arrives now.
    for (let chunks = 0; chunks < 20; chunks++) expect((await reader.read()).done).toBe(false)
  }
  const ended = await one.graph<Disabled>(disable, { drain: false })
  expect(ended.data.disableAccount.running).toBe(2)
  for (const reader of readers) {
    let text = ''
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += Buffer.from(part.value).toString()
    }
    expect(text).toContain('exchange_cancelled')
  }
  expect(await ask(other, 'sandbox/words=1')).not.toBe(200)
})

const missing = (id: string) => `1 process did not answer in full: ${id}.`

/** Acts that have to reach all processes. */
const everywhere = [
  'resetCircuit(input: {id: "one"}) { __typename }',
  'clearCoolDown(input: {id: "one"}) { __typename }',
  'disableAccount(input: {id: "one", reason: "leaked", drain: false}) { __typename }',
] as const

test('processes that an act on an account has not reached are named', async () => {
  await using replicas = await startReplicas()
  const { one, other } = replicas
  const { id, handle } = other.services.processes
  handle('readmit', () => Promise.reject(new Error('canary')))
  // It dies on the way.
  handle('endCalls', () => new Promise(() => {}))
  for (const query of everywhere) {
    const { data, extensions } = await one.graph<{ act: object }>(`mutation { act: ${query} }`)
    expect(data.act).toEqual({
      __typename: expect.stringMatching(/Success$/) as string,
    })
    const incomplete = [{ field: expect.any(String) as string, reason: missing(id) }]
    expect([query, extensions]).toEqual([query, { incomplete }])
  }
})

/** A store in memory, whose bus can lose all that is published. */
function storeWithBrokenBus() {
  const store = openMemoryStore()
  const broken = { is: false }
  const openBus: Store['openBus'] = async (self, onError) => {
    const bus = await store.openBus(self, onError)
    return { ...bus, publish: (...message) => void (broken.is || bus.publish(...message)) }
  }
  return { store: { ...store, openBus }, broken }
}

test('an account that is disabled stays a success where its calls in other processes cannot be ended', async () => {
  const { store, broken } = storeWithBrokenBus()
  await using replicas = await startReplicas(store)
  const { one, other } = replicas
  const body = (await stream(one)).body!
  broken.is = true
  const { data, extensions } = await one.graph<Disabled>(disable, { drain: false })
  expect(data.disableAccount.running).toBe(1)
  const reason = missing(other.services.processes.id)
  expect(extensions).toEqual({ incomplete: [{ field: 'disableAccount', reason }] })
  expect(await new Response(body).text()).toContain('exchange_cancelled')
  const audit = '{ audit(first: 1) { edges { node { action result after } } } }'
  const records = await one.graph<{ audit: { edges: object[] } }>(audit)
  expect(records.data.audit.edges).toEqual([
    {
      node: {
        action: 'account.disable',
        result: 'DONE',
        after: { enabled: false, drain: false, ended: 1 },
      },
    },
  ])
})
