import { isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'

import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { act } from './stored-accounts.ts'

/** Fields of the inputs that are about the act. */
const ofActs = ['reason', 'expectedVersion']

const settings = {
  outputLimitField: 'max_tokens',
  asksForUsage: false,
  lacks: ['reasoning', 'stored-responses'],
  replyModel: 'client',
  forward: { headers: ['x-acme-*'], query: ['trace'] },
  weight: 2.5,
  priority: -1,
}

/** As the API has them: words are in upper case. */
const shownSettings = {
  ...settings,
  outputLimitField: 'MAX_TOKENS',
  lacks: ['REASONING', 'STORED_RESPONSES'],
  replyModel: 'CLIENT',
}

const query = `query ($id: ID!) { account(id: $id) { id state ${Object.keys(settings).join(' ')} } }`

test('every field of an account that the API takes can be read', () => {
  const schema = createAdminSchema()
  const readable = ['Account', 'AccountTransport'].flatMap((name) => {
    const type = schema.getType(name)
    if (!isObjectType(type)) throw new Error(`The schema has no ${name}.`)
    return Object.keys(type.getFields())
  })
  for (const name of ['CreateAccountInput', 'UpdateAccountInput']) {
    const input = schema.getType(name)
    if (!isInputObjectType(input)) throw new Error(`The schema has no ${name}.`)
    const taken = Object.keys(input.getFields()).filter((field) => !ofActs.includes(field))
    expect(taken.filter((field) => !readable.includes(field))).toEqual([])
    expect(taken.length).toBeGreaterThan(10)
  }
})

test('the settings of an account are read as they were written, whichever place has them', async () => {
  const rest = { provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1', models: ['m'] }
  await using gateway = await startAdminGateway({
    accounts: [{ id: 'file', ...rest, ...settings } as never, { id: 'plain', ...rest }],
  })
  await act(gateway, 'createAccount', { id: 'stored', ...rest, ...shownSettings })
  const read = async (id: string) =>
    (await gateway.graph<{ account: unknown }>(query, { id }, 'viewer')).data.account
  expect(await read('file')).toEqual({ id: 'file', state: 'ENABLED', ...shownSettings })
  expect(await read('stored')).toEqual({ id: 'stored', state: 'ENABLED', ...shownSettings })
  expect(await read('plain')).toMatchObject({
    outputLimitField: 'MAX_TOKENS',
    asksForUsage: true,
    lacks: null,
    replyModel: 'ACCOUNT',
    forward: null,
    weight: 1,
    priority: 0,
  })
})

test('the settings of an account without a usable provider are shown; those of a damaged record are not', async () => {
  await using gateway = await startAdminGateway({})
  const record = { version: 1, createdAt: 1, changedAt: 1 }
  await accountRecords(gateway.running.store).setMany([
    {
      id: 'lost',
      value: { ...record, account: { id: 'lost', provider: 'gone', models: ['m'], ...settings } },
    },
    { id: 'damaged', value: { ...record, account: { id: 'other', provider: 'openai' } } },
  ])
  await gateway.running.storedAccounts.catchUp()
  const read = async (id: string) =>
    (await gateway.graph<{ account: unknown }>(query, { id }, 'viewer')).data.account
  expect(await read('lost')).toEqual({ id: 'lost', state: 'INVALID', ...shownSettings })
  expect(await read('damaged')).toMatchObject({ state: 'INVALID', weight: null, replyModel: null })
})

test('the configuration shows an account of the store as it shows one of the file, without secrets', async () => {
  const rest = {
    provider: 'openai-compatible',
    baseUrl: 'http://127.0.0.1:9/path-canary/v1',
    models: ['m'],
  }
  await using gateway = await startAdminGateway({
    accounts: [{ id: 'file', ...rest, ...settings, apiKey: 'key-canary' } as never],
    env: { DRAGOMAN_SECRET_KEY: 'x'.repeat(32) },
  })
  await act(gateway, 'createAccount', {
    id: 'stored',
    ...rest,
    ...shownSettings,
    credential: 'key-canary-of-the-store',
  })
  const { data } = await gateway.graph<{
    configuration: Record<string, { path: string; value: unknown; origin: string }[]>
  }>(`{ configuration {
    file: settings(section: "accounts[0]") { path value origin }
    store: settings(section: "accounts.stored") { path value origin }
  } }`)
  const shown = (name: string) =>
    Object.fromEntries(
      data.configuration[name]!.map(({ path, value }) => [path.split('.').at(-1)!, value]),
    )
  const { id: _id, ...file } = shown('file')
  expect({ speaks: ['chat'], ...file }).toEqual(shown('store'))
  expect(data.configuration['store']!.every(({ origin }) => origin === 'STORE')).toBe(true)
  expect(JSON.stringify(data)).not.toContain('canary')
})

test('a path that may be secret is in no view of an account, no audit record and no configuration', async () => {
  const rest = { provider: 'openai-compatible', models: ['m'] }
  const hidden = 'https://127.0.0.1:9/...'
  await using gateway = await startAdminGateway({
    accounts: [{ id: 'file', ...rest, baseUrl: 'https://127.0.0.1:9/canary-1/v1' }],
  })
  const created = await act(gateway, 'createAccount', {
    id: 'stored',
    ...rest,
    baseUrl: 'https://127.0.0.1:9/canary-2/v1',
  })
  const update = (baseUrl: string) => act(gateway, 'updateAccount', { id: 'stored', baseUrl })
  const moved = await update('https://127.0.0.1:9/canary-3/v1')
  expect([created.account?.baseUrl, moved.account?.baseUrl]).toEqual([hidden, hidden])
  // Whoever writes back what they have read changes nothing.
  const masked = await update(hidden)
  expect(masked.problems).toEqual([
    {
      path: 'input.baseUrl',
      message: 'is a URL whose path is hidden',
      fix: 'leave it out to keep the present one',
    },
  ])
  expect((await update('https://127.0.0.1:9/v1')).account?.baseUrl).toBe('https://127.0.0.1:9/v1')
  const { data } = await gateway.graph<{
    audit: { edges: { node: { action: string; result: string; before: unknown } }[] }
  }>(`{
    accounts { edges { node { id baseUrl } } }
    audit(filter: {action: "account.update"}) { edges { node { action result before after } } }
    configuration { settings { path value } }
  }`)
  expect(data.audit.edges.map(({ node: { result, before } }) => [result, before])).toEqual([
    ['DONE', { baseUrl: hidden }],
    ['FAILED', null],
    ['DONE', { baseUrl: hidden }],
  ])
  expect(JSON.stringify([data, gateway.written()])).not.toContain('canary')
})

test('a form knows from the gateway what accounts may be of, and what each needs, plugins included', async () => {
  interface Answer {
    readonly providers: {
      name: string
      needsBaseUrl: boolean
      fields: string[]
      speaks: string[]
    }[]
  }
  await using gateway = await startAdminGateway({
    plugins: [
      {
        name: 'house',
        providers: {
          house: { baseUrl: 'https://llm.house.example/v1', dialects: { chat: {} } },
        },
      },
    ],
  })
  const { data } = await gateway.graph<Answer>(
    '{ providers { name needsBaseUrl fields speaks } }',
    {},
    'viewer',
  )
  const found = new Map(data.providers.map(({ name, ...rest }) => [name, rest]))
  expect([...found.keys()]).toEqual([...found.keys()].toSorted())
  expect(found.get('house')).toEqual({ needsBaseUrl: false, fields: [], speaks: ['chat'] })
  expect(found.get('azure')).toMatchObject({ needsBaseUrl: true, fields: ['apiVersion', 'entra'] })
  expect(found.get('bedrock')).toMatchObject({
    needsBaseUrl: false,
    fields: ['region', 'guardrail', 'anthropicVersion', 'aws'],
    speaks: ['converse'],
  })
  expect(found.get('vertex')).toMatchObject({
    needsBaseUrl: false,
    fields: ['project', 'location', 'anthropicVersion', 'googleAuth'],
  })
  expect(found.get('openai-compatible')).toMatchObject({ needsBaseUrl: true, fields: [] })
  expect(found.get('openai')).toMatchObject({ needsBaseUrl: false, fields: [] })
})
