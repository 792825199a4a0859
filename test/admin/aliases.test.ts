import { expect, test } from 'vitest'

import { resolveSettings } from '../../src/configuration/resolve.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { type AdminGateway, startAdminGateway } from './admin-gateway.ts'

const accounts = [
  { id: 'one', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['m', 'gpt-*'] },
]

interface Result {
  readonly __typename: string
  readonly message?: string
  readonly alias?: { readonly version: number; readonly replyModel: string | null }
}

async function act(gateway: AdminGateway, name: string, input: object): Promise<Result> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}`
  const success = name === 'setAlias' ? 'alias { version replyModel }' : 'name'
  const { data, errors } = await gateway.graph<Record<string, Result>>(
    `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
      ... on ${type}Success { ${success} } ... on Invalid { message } ... on Conflict { message } } }`,
    { input },
  )
  expect(errors).toEqual([])
  return data[name]!
}

async function aliasesOf(gateway: AdminGateway) {
  const { data } = await gateway.graph<{ aliases: { name: string; problem: string | null }[] }>(
    '{ aliases { name model replyModel managedBy problem version changedBy } }',
  )
  return data.aliases
}

async function modelsFor({ url, key }: AdminGateway): Promise<string[]> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

test('of two operators who set an alias at the same time, none takes back what only the other one changes', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  let meanwhile: (() => Promise<unknown>) | undefined
  const slow: Store = {
    ...store,
    records: <T>(namespace: string, options?: object) => {
      const opened = store.records<T>(namespace, options)
      const update: Records<T>['update'] = async (id, change) => {
        const other = namespace === 'aliases' ? meanwhile : undefined
        meanwhile = undefined
        await other?.()
        return opened.update(id, change)
      }
      return { ...opened, update }
    },
  }
  await using gateway = await startAdminGateway({ accounts, store: slow })
  const set = (input: object) => act(gateway, 'setAlias', { name: 'fast', ...input })
  await set({ model: 'm' })
  meanwhile = () => set({ model: 'm', replyModel: 'CLIENT' })
  const later = await set({ model: 'gpt-4' })
  expect(later.alias).toEqual({ version: 3, replyModel: 'CLIENT' })
  // With the version that it has read, the later one is told.
  meanwhile = () => set({ model: 'm' })
  const careful = await set({ model: 'gpt-5', expectedVersion: 3 })
  expect(careful.__typename).toBe('Conflict')
  const [alias] = await aliasesOf(gateway)
  expect(alias).toMatchObject({ model: 'm', replyModel: 'CLIENT', version: 4 })
})

test('callers reach a model by an alias of the store until it is removed', async () => {
  await using account = await startFakeAccount(answerJson({ object: 'response', output: [] }))
  await using gateway = await startAdminGateway({
    accounts: [{ id: 'one', provider: 'openai', baseUrl: account.url, apiKey: 'x', models: ['m'] }],
  })
  expect(
    await act(gateway, 'setAlias', { name: 'fast', model: 'm', replyModel: 'CLIENT' }),
  ).toEqual({
    __typename: 'SetAliasSuccess',
    alias: { version: 1, replyModel: 'CLIENT' },
  })
  expect(await modelsFor(gateway)).toEqual(['fast', 'm'])
  const kept = await act(gateway, 'setAlias', { name: 'fast', model: 'm', expectedVersion: 1 })
  expect(kept.alias).toEqual({ version: 2, replyModel: 'CLIENT' })
  const late = await act(gateway, 'setAlias', { name: 'fast', model: 'm', expectedVersion: 1 })
  expect(late.__typename).toBe('Conflict')
  const absent = await act(gateway, 'setAlias', { name: 'new', model: 'm', expectedVersion: 1 })
  expect(absent.__typename).toBe('Conflict')
  const taken = await act(gateway, 'setAlias', { name: 'fast', model: 'm', expectedVersion: 0 })
  expect(taken.__typename).toBe('Conflict')

  await act(gateway, 'setAlias', { name: 'faster', model: 'fast' })
  expect((await act(gateway, 'removeAlias', { name: 'fast', reason: 'unused' })).message).toContain(
    'faster',
  )
  expect((await act(gateway, 'removeAlias', { name: 'faster', reason: 'unused' })).__typename).toBe(
    'RemoveAliasSuccess',
  )
  expect((await act(gateway, 'removeAlias', { name: 'fast', reason: 'unused' })).__typename).toBe(
    'RemoveAliasSuccess',
  )
  expect((await act(gateway, 'removeAlias', { name: 'fast', reason: 'unused' })).__typename).toBe(
    'NotFound',
  )
  expect(await modelsFor(gateway)).toEqual(['m'])
})

test('circles, unknown targets and bad names are refused, and the file wins', async () => {
  await using gateway = await startAdminGateway({
    accounts,
    aliases: { fixed: 'm', back: 'fixed' },
  })
  const refused = {
    itself: { name: 'a', model: 'a' },
    unknown: { name: 'a', model: 'nothing' },
    empty: { name: '', model: 'm' },
    long: { name: 'x'.repeat(513), model: 'm' },
    half: { name: '\ud800', model: 'm' },
    dots: { name: '../x', model: 'm' },
    'no target': { name: 'a', model: '' },
  }
  for (const [why, input] of Object.entries(refused)) {
    expect([why, (await act(gateway, 'setAlias', input)).__typename]).toEqual([why, 'Invalid'])
  }
  await act(gateway, 'setAlias', { name: 'a', model: 'gpt-5' })
  await act(gateway, 'setAlias', { name: 'b', model: 'a' })
  expect((await act(gateway, 'setAlias', { name: 'a', model: 'b' })).message).toContain('circle')
  for (const [name, input] of [
    ['setAlias', { name: 'fixed', model: 'm' }],
    ['removeAlias', { name: 'fixed', reason: 'unused' }],
  ] as const) {
    expect((await act(gateway, name, input)).__typename).toBe('ManagedByFile')
  }
  await act(gateway, 'setAlias', { name: '__proto__', model: 'm' })
  expect(await aliasesOf(gateway)).toMatchObject([
    { name: '__proto__', managedBy: 'STORE' },
    { name: 'a', model: 'gpt-5', changedBy: 'token:admin' },
    { name: 'b' },
    { name: 'back', managedBy: 'FILE', version: null },
    { name: 'fixed', managedBy: 'FILE' },
  ])
  expect(await modelsFor(gateway)).toEqual(['__proto__', 'a', 'b', 'back', 'fixed', 'm'])
})

test('a reload that closes a circle, a clash and a damaged record take away only their aliases', async () => {
  const store = await openStore('memory:', { cwd: '/' })
  await using gateway = await startAdminGateway({ store, accounts })
  await act(gateway, 'setAlias', { name: 'a', model: 'm' })
  await act(gateway, 'setAlias', { name: 'b', model: 'a' })
  await act(gateway, 'setAlias', { name: 'c', model: 'm' })
  const damaged = { name: 'damaged', model: 5, version: 1, changedAt: 1, changedBy: 'x' }
  await store.records('aliases', { listed: true }).set('damaged', damaged)
  const settings = resolveSettings({ accounts, aliases: { a: 'b', c: 'gpt-9' } }, { env: {} })
  gateway.running.configure({ ...settings, keys: gateway.running.keys.configured })
  await until(() => JSON.stringify(gateway.log).includes('records of aliases are damaged'))
  expect(await modelsFor(gateway)).toEqual(['c', 'm'])
  expect(await aliasesOf(gateway)).toMatchObject([
    { name: 'a', managedBy: 'FILE' },
    { name: 'a', managedBy: 'STORE', problem: 'The configuration file has this alias too.' },
    { name: 'b', problem: 'It is part of a circle of aliases.' },
    { name: 'c', managedBy: 'FILE' },
    { name: 'c', managedBy: 'STORE', problem: expect.any(String) },
  ])
  expect(gateway.running.accounts.snapshot.platformName('c')).toBe('gpt-9')
})

test('an alias reaches the other gateway on a Redis', async () => {
  await using redis = await startRedis()
  await using one = await startAdminGateway({ store: redis.url, accounts })
  await using other = await startAdminGateway({ store: redis.url, accounts })
  await act(one, 'setAlias', { name: 'fast', model: 'm' })
  await until(async () => (await modelsFor(other)).includes('fast'))
  await act(other, 'removeAlias', { name: 'fast', reason: 'unused' })
  await until(async () => !(await modelsFor(one)).includes('fast'))
})
