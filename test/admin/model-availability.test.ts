import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { run } from '../../src/lib/turns.ts'
import { accountStates } from '../../src/telemetry/metrics/account-states.ts'
import { modelAvailability } from '../../src/telemetry/metrics/model-availability.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
import { completionOf } from './completion.ts'

interface Model {
  readonly name: string
  readonly served: boolean
  readonly available: boolean
  readonly standIn: string | null
  readonly failsWith: number | null
  readonly accounts: Page<{
    readonly accountId: string
    readonly available: boolean
    readonly reason: string | null
    readonly until: string | null
    readonly chance: number | null
  }>
}

const keys = ['one', 'two', 'asks'].map((id) => ({ id, secret: `secret-of-${id}` }))

async function modelsOf(gateway: AdminGateway, filter: object = {}): Promise<Model[]> {
  const { data, errors } = await gateway.graph<{ models: Page<Model> }>(
    `query ($filter: ModelFilter) { models(first: 10, filter: $filter) { edges { node {
      name served available standIn failsWith accounts(first: 10) { edges { node { accountId available reason until chance } } }
    } } } }`,
    { filter },
    'viewer',
  )
  expect(errors).toEqual([])
  return nodesOf(data.models)
}

async function call({ url }: AdminGateway, model: string, key = 0): Promise<number> {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${keys[key]!.secret}`,
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.text()
  return reply.status
}

interface Explained {
  readonly candidates: readonly { accountId: string; chance: number }[]
  readonly excluded: readonly { accountId: string; reason: string; until: string | null }[]
  readonly answer: { readonly status: number; readonly code: string | null } | null
}

/** How a key that has called nothing would be served in a dialect. */
async function explain(gateway: AdminGateway, model: string, dialect: string): Promise<Explained> {
  const { data, errors } = await gateway.graph<{ explain: Explained }>(
    `query ($input: ExplainInput!) { explain(input: $input) {
      candidates { accountId chance } excluded { accountId reason until } answer { status code } } }`,
    { input: { keyId: 'asks', model, dialect } },
    'viewer',
  )
  expect(errors).toEqual([])
  return data.explain
}

/** What the metric dragoman_model_available says of each model. */
function metricOf({ running }: AdminGateway): Map<string, boolean> {
  const { accounts } = running.accounts.snapshot
  return run(modelAvailability(accounts, run(accountStates(running.plugins, accounts))))
}

/** Answers as the credential of the account and the model say. */
async function startUpstream() {
  return await startFakeAccount((response, request) => {
    const { model = '' } = JSON.parse(request.body.toString() || '{}') as { model?: string }
    const [, behaviour = ''] = String(request.headers.authorization).split('.')
    const [what = '', about] = behaviour.split('@')
    const error = { message: 'no', type: 'invalid_request_error', code: 'invalid_api_key' }
    if (what === 'refuse') return answerJson({ error }, { status: 401 })(response, request)
    if (request.method === 'GET' || (about && about !== model)) {
      return answerJson(completionOf('m'))(response, request)
    }
    const wait = { 'retry-after': '300' }
    const limit = { error: { message: 'no', code: 'rate_limit_exceeded' } }
    if (what === 'limit')
      return answerJson(limit, { status: 429, headers: wait })(response, request)
    if (what === 'fail') {
      return answerJson({ error: { message: 'no' } }, { status: 500 })(response, request)
    }
    return answerJson(completionOf('m'))(response, request)
  })
}

test('a model whose only account is refused is not available, while it counts as served', async () => {
  await using upstream = await startUpstream()
  const account = (id: string, models: string[], apiKey: string, more = {}) => ({
    id,
    provider: 'openai',
    baseUrl: upstream.url,
    apiKey,
    speaks: ['chat'],
    models,
    ...more,
  })
  await using gateway = await startAdminGateway({
    keys,
    accounts: [
      account('bad', ['alone', 'shared'], 'k.refuse'),
      account('good', ['shared'], 'k.fine', { weight: 3 }),
      account('more', ['shared'], 'k.fine'),
      account('spare', ['shared'], 'k.fine', { priority: 1 }),
    ],
    aliases: {
      nick: { model: 'alone', fallbacks: [{ on: ['unavailable'], model: 'shared' }] },
      poor: { model: 'alone', fallbacks: [{ on: ['rate_limited'], model: 'shared' }] },
    },
  })
  expect(await call(gateway, 'alone')).not.toBe(200)
  await until(async () => (await modelsOf(gateway, { available: false })).length > 0)
  const gone = await modelsOf(gateway, { available: false })
  const ends = gone.map(({ name, standIn, failsWith }) => [name, standIn, failsWith])
  expect(ends).toEqual([
    ['alone', null, 503],
    ['nick', 'shared', null],
    ['poor', null, 503],
  ])
  expect(await call(gateway, 'nick')).toBe(200)
  expect(gone[0]).toMatchObject({ served: true, available: false })
  const [bad] = nodesOf(gone[0]!.accounts)
  expect(bad).toMatchObject({ accountId: 'bad', available: false, chance: 0 })
  expect(bad!.reason).toContain('401')
  // The time is there for operators, also in an explanation.
  const { excluded, answer } = await explain(gateway, 'alone', 'chat')
  expect(answer?.code).toBe('no_account_available')
  expect(excluded).toEqual([{ accountId: 'bad', reason: bad!.reason, until: bad!.until }])
  expect(Date.parse(bad!.until!)).toBeGreaterThan(Date.now() - 60_000)

  const [shared] = await modelsOf(gateway, { available: true })
  const chances = nodesOf(shared!.accounts).map(({ accountId, chance }) => [accountId, chance])
  expect(chances).toEqual([
    ['bad', 0],
    ['good', 0.75],
    ['more', 0.25],
    ['spare', 0],
  ])
  const { data } = await gateway.graph(
    '{ models { totalCount countsByState { state count } } }',
    {},
    'viewer',
  )
  expect(data).toEqual({
    models: {
      totalCount: 4,
      countsByState: [
        { state: 'AVAILABLE', count: 1 },
        { state: 'UNAVAILABLE', count: 3 },
      ],
    },
  })
})

test('a full account is available, and says that it takes none at this moment', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await using upstream = await startFakeAccount(async (response, request) => {
    await held
    return answerJson(completionOf('m'))(response, request)
  })
  await using gateway = await startAdminGateway({
    keys,
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        baseUrl: upstream.url,
        speaks: ['chat'],
        models: ['m'],
        maxConcurrent: 1,
      },
    ],
  })
  const running = call(gateway, 'm')
  const stateOf = async () => {
    const [model] = await modelsOf(gateway)
    return { ...nodesOf(model!.accounts)[0]!, ofModel: model!.available }
  }
  await until(async () => (await stateOf()).reason !== null)
  expect(await stateOf()).toMatchObject({ available: true, ofModel: true, chance: 0 })
  expect((await stateOf()).reason).toContain('at its limit')
  release()
  await running
})

const dialects = ['chat', 'responses', 'messages', 'generate']

const behaviours = ['fine', 'refuse', 'limit@x-one', 'limit@two', 'fail', 'fail@x-one', 'off']

const models = [['one'], ['two'], ['one', 'two'], ['o*'], { one: 'x-one' }, { 'o*': 'x-o*' }]

test('availability, the metric and explanations never disagree', async () => {
  const account = fc.record({
    behaviour: fc.constantFrom(...behaviours),
    models: fc.constantFrom(...models),
    speaks: fc.constantFrom(['chat'], ['responses'], ['chat', 'responses']),
    priority: fc.constantFrom(0, 1),
    weight: fc.constantFrom(1, 3),
  })
  await using upstream = await startUpstream()
  await fc.assert(
    fc.asyncProperty(fc.array(account, { minLength: 1, maxLength: 4 }), async (plan) => {
      const accounts = plan.map(({ behaviour, ...one }, index) => ({
        ...one,
        id: `a${index}`,
        provider: 'openai',
        baseUrl: upstream.url,
        apiKey: `k.${behaviour}`,
        enabled: behaviour !== 'off',
      }))
      await using gateway = await startAdminGateway({ keys, accounts })
      for (let round = 0; round < 12; round++) {
        await Promise.all(['one', 'two'].map((model) => call(gateway, model, round % 2)))
      }
      const metric = metricOf(gateway)
      for (const model of await modelsOf(gateway)) {
        const { name, available } = model
        // A name of disabled accounts alone has no metric, and may be served by a pattern of another.
        expect([name, available]).toEqual([name, metric.get(name) ?? available])
        if (name.includes('*')) continue
        const explained = await Promise.all(
          dialects.map((dialect) => explain(gateway, name, dialect)),
        )
        const canServe = new Set(
          explained.flatMap(({ candidates }) => candidates.map(({ accountId }) => accountId)),
        )
        expect([name, available]).toEqual([name, canServe.size > 0])
        const status = available ? null : explained[0]!.answer?.status
        expect([name, model.failsWith]).toEqual([name, status])
        for (const one of nodesOf(model.accounts)) {
          expect([name, one.accountId, one.available]).toEqual([
            name,
            one.accountId,
            canServe.has(one.accountId),
          ])
        }
        const [spoken, ...others] = new Set(accounts.flatMap(({ speaks }) => speaks))
        if (spoken === undefined || others.length > 0) continue
        const native = explained[dialects.indexOf(spoken)]!
        for (const { accountId, chance } of native.candidates) {
          const shown = nodesOf(model.accounts).find((one) => one.accountId === accountId)
          expect(shown?.chance).toBeCloseTo(chance)
        }
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('an account stands by while others come before it for each of its models', async () => {
  const shared = { provider: 'openai', apiKey: 'k', baseUrl: 'http://127.0.0.1:9' }
  await using gateway = await startAdminGateway({
    accounts: [
      { ...shared, id: 'first', models: ['m'], priority: 1 },
      { ...shared, id: 'behind', models: ['m'], priority: 2 },
      { ...shared, id: 'first-of-one', models: ['m', 'n'], priority: 2 },
      { ...shared, id: 'unknown', models: ['m*'], priority: 2 },
    ],
  })
  const standing = async () => {
    const { data } = await gateway.graph<{
      accounts: Page<{ id: string; standsBy: boolean | null }>
    }>('{ accounts(first: 10) { edges { node { id standsBy } } } }')
    return Object.fromEntries(nodesOf(data.accounts).map(({ id, standsBy }) => [id, standsBy]))
  }
  const before = { behind: true, first: false, 'first-of-one': false, unknown: null }
  expect(await standing()).toEqual(before)
  await gateway.graph(
    'mutation { disableAccount(input: {id: "first", reason: "x"}) { __typename } }',
    {},
    'operator',
  )
  await expect.poll(standing).toEqual({ ...before, behind: false })
})
