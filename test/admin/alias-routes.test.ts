import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { accountFor } from '../walks/streams/scripted.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'

interface Problem {
  readonly path: string
  readonly message: string
}

interface Result {
  readonly __typename: string
  readonly problems?: readonly Problem[]
  readonly message?: string
}

async function set(gateway: AdminGateway, input: object): Promise<Result> {
  const { data, errors } = await gateway.graph<{ setAlias: Result }>(
    `mutation ($input: SetAliasInput!) { setAlias(input: $input) { __typename
      ... on Invalid { message problems { path message } } ... on Conflict { message } } }`,
    { input },
  )
  expect(errors).toEqual([])
  return data.setAlias
}

async function aliasesOf(gateway: AdminGateway) {
  const { data } = await gateway.graph<{ aliases: unknown[] }>(
    '{ aliases { name model strategy fallbacks { on model } problem } }',
  )
  return data.aliases
}

const spare = [{ on: ['UNAVAILABLE', 'RATE_LIMITED'], model: 'spare' }]

test('callers have the fallbacks and the strategy of an alias of the store, until they are taken back', async () => {
  await using main = await startFakeAccount(refusing(500))
  await using other = await startFakeAccount(serving(form.chat))
  await using gateway = await startAdminGateway({
    accounts: [
      accountFor(form.chat, 'one', main.url, { models: ['main'] }),
      accountFor(form.chat, 'two', other.url, { models: ['spare'] }),
    ],
  })
  const asking = { model: 'fast', stream: false }
  const status = async () => (await ask(gateway, form.chat, asking)).status
  const alias = { name: 'fast', model: 'main', strategy: 'LEAST_BUSY', fallbacks: spare }
  expect((await set(gateway, alias)).__typename).toBe('SetAliasSuccess')
  expect(await status()).toBe(200)
  // An absent member stays.
  await set(gateway, { name: 'fast', model: 'main', replyModel: 'CLIENT' })
  expect(await status()).toBe(200)
  expect(await aliasesOf(gateway)).toEqual([
    { name: 'fast', model: 'main', strategy: 'LEAST_BUSY', fallbacks: spare, problem: null },
  ])
  await set(gateway, { name: 'fast', model: 'main', strategy: null, fallbacks: null })
  expect(await status()).toBe(500)
  expect(await aliasesOf(gateway)).toEqual([
    { name: 'fast', model: 'main', strategy: null, fallbacks: null, problem: null },
  ])
})

test('a model has settings of the store under its own name, which is no alias', async () => {
  await using account = await startFakeAccount(answerJson({ object: 'response', output: [] }))
  await using gateway = await startAdminGateway({
    accounts: [accountFor(form.chat, 'one', account.url, { models: ['m', 'spare'] })],
  })
  const own = { name: 'm', model: 'm', strategy: 'COST', fallbacks: spare }
  expect((await set(gateway, own)).__typename).toBe('SetAliasSuccess')
  expect(await aliasesOf(gateway)).toEqual([
    { name: 'm', model: 'm', strategy: 'COST', fallbacks: spare, problem: null },
  ])
  const { data } = await gateway.graph(
    '{ models { edges { node { name kind } } } configuration { settings(section: "aliases") { path value origin } } }',
  )
  expect(data).toEqual({
    models: {
      edges: [{ node: { name: 'm', kind: 'MODEL' } }, { node: { name: 'spare', kind: 'MODEL' } }],
    },
    configuration: {
      settings: [
        {
          path: 'aliases.m',
          value: {
            model: 'm',
            strategy: 'cost',
            fallbacks: [{ on: ['unavailable', 'rate_limited'], model: 'spare' }],
          },
          origin: 'STORE',
        },
      ],
    },
  })
})

test('a fallback of the store that is of no use is refused, with its place', async () => {
  const accounts = [
    { id: 'one', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['m', 'spare'] },
  ]
  await using gateway = await startAdminGateway({ accounts, aliases: { again: 'm' } })
  const problemsOf = async (fallbacks: readonly object[]) => {
    const { problems } = await set(gateway, { name: 'fast', model: 'm', fallbacks })
    return problems?.map(({ path, message }) => `${path}: ${message}`)
  }
  const on = ['UNAVAILABLE']
  expect(
    await problemsOf([
      { on, model: 'spare' },
      { on, model: 'again' },
      { on, model: 'nowhere' },
    ]),
  ).toEqual([
    'input.fallbacks[1].model: leads back to the model of the alias, "m"',
    'input.fallbacks[2].model: leads to the model "nowhere", which no account has',
  ])
  expect(await problemsOf([{ on: [], model: 'spare' }])).toEqual([
    expect.stringContaining('input.fallbacks[0].on'),
  ])
  expect(await problemsOf([{ on, model: '' }])).toEqual([
    'input.fallbacks[0].model: is not the name of a model',
  ])
})

test('an alias that others fall back to stays', async () => {
  const accounts = [
    { id: 'one', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['m', 'spare'] },
  ]
  await using gateway = await startAdminGateway({ accounts })
  await set(gateway, { name: 'reserve', model: 'spare' })
  const fallbacks = [{ on: ['BUDGET'], model: 'reserve' }]
  await set(gateway, { name: 'fast', model: 'm', fallbacks })
  const { data } = await gateway.graph(
    'mutation { removeAlias(input: {name: "reserve", reason: "unused"}) { __typename ... on Conflict { message } } }',
  )
  expect(data).toEqual({
    removeAlias: { __typename: 'Conflict', message: expect.stringContaining('fast') as string },
  })
})

test('an alias of the store with damaged fallbacks does not exist', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  const aliases = store.records('aliases', { listed: true })
  const alias = { model: 'm', version: 1, changedAt: 1, changedBy: 'me' }
  const damaged = {
    strategy: { strategy: 'quickest' },
    kind: { fallbacks: [{ on: ['rain'], model: 'spare' }] },
    list: { fallbacks: { on: ['budget'], model: 'spare' } },
    model: { fallbacks: [{ on: ['budget'] }] },
  }
  for (const [name, members] of Object.entries(damaged))
    await aliases.set(name, { ...alias, ...members, name })
  await aliases.set('good', {
    ...alias,
    name: 'good',
    strategy: 'cost',
    fallbacks: [{ on: ['budget'], model: 'spare' }],
  })
  await using gateway = await startAdminGateway({ accounts: [], store })
  const { data } = await gateway.graph<{ aliases: unknown }>('{ aliases { name } }')
  expect(data.aliases).toEqual([{ name: 'good' }])
})
