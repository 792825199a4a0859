import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { HealthDetails } from '../../plugins/health.ts'
import { setEnabled } from '../../src/stores/operator-states.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import { accountRecords } from '../../src/stores/stored-accounts.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { startAdminGateway } from './admin-gateway.ts'
import { completionOf } from './completion.ts'
import { accountOf, accountsOf, act, ask, newSecretKey, send } from './stored-accounts.ts'

const canary = 'canary-credential-0123456789abcd'
const second = 'second-canary-0123456789-wxyz'

const completion = answerJson(completionOf('m'))

const account = (baseUrl: string, rest: object = {}) => ({
  id: 'stored',
  provider: 'openai-compatible',
  baseUrl,
  credential: canary,
  models: ['m'],
  ...rest,
})

/** A store of each kind: its URL, and all bytes that it has written. */
const kinds = {
  async file() {
    const directory = await temporaryDirectory()
    const dump = async () => {
      const files = (await readdir(directory.path)).filter((name) => name.startsWith('store.'))
      return (
        await Promise.all(files.map((name) => readFile(join(directory.path, name), 'latin1')))
      ).join()
    }
    return { store: `file:${directory.path}`, dump, close: () => directory[Symbol.asyncDispose]() }
  },
  async redis() {
    const redis = await startRedis()
    const dump = async () => {
      const keys = (await redis.command('KEYS', '*')).match(/dragoman:\S+/g) ?? []
      const values = await Promise.all(keys.map((key) => redis.command('DUMP', key)))
      const texts = await Promise.all(keys.map((key) => redis.command('GET', key)))
      return [...values, ...texts].join()
    }
    return { store: redis.url, dump, close: () => redis[Symbol.asyncDispose]() }
  },
}

describe.each(Object.entries(kinds))('on a store of kind %s', (_kind, open) => {
  test('an account that one gateway creates serves at both, and its credential is nowhere to be read', async () => {
    await using upstream = await startFakeAccount(completion)
    const { store, dump, close } = await open()
    await using closing = new AsyncDisposableStack()
    closing.defer(close)
    const options = { store, env: { DRAGOMAN_SECRET_KEY: newSecretKey() } }
    await using one = await startAdminGateway(options)
    await using other = await startAdminGateway(options)

    const created = await act(one, 'createAccount', account(`${upstream.url}/v1`))
    expect(created).toMatchObject({
      __typename: 'CreateAccountSuccess',
      account: {
        id: 'stored',
        managedBy: 'STORE',
        state: 'ENABLED',
        version: 1,
        credential: { isSet: true, source: 'STORE', hint: 'abcd' },
      },
    })
    // The process that answers has it at once.
    expect(await ask(one)).toBe(200)
    await until(async () => (await ask(other)) === 200)
    expect(upstream.requests.map(({ headers }) => headers.authorization)).toContain(
      `Bearer ${canary}`,
    )

    const { version } = (
      await act(other, 'updateAccount', {
        id: 'stored',
        credential: second,
        models: ['m', 'n'],
        expectedVersion: 1,
      })
    ).account!
    expect(version).toBe(2)
    await until(async () => (await ask(one, 'n')) === 200)
    expect(upstream.requests.at(-1)!.headers.authorization).toBe(`Bearer ${second}`)

    const audit = await one.graph(`{ audit { edges { node {
      action before after message reason } } } }`)
    const answers = JSON.stringify([created, await accountsOf(one), await accountsOf(other), audit])
    const logs = JSON.stringify([one.log, other.log, one.accessLog, other.accessLog])
    for (const secret of [canary, second]) {
      expect(answers).not.toContain(secret)
      expect(logs).not.toContain(secret)
      expect(await dump()).not.toContain(secret)
    }
    expect(answers).toContain('"credential":"changed"')

    const gone = await act(one, 'deleteAccount', { id: 'stored', reason: 'moved' })
    expect(gone.__typename).toBe('DeleteAccountSuccess')
    await until(async () => (await ask(other)) === 404)
  })
})

test('an account of a store in memory is sealed as well', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  await using gateway = await startAdminGateway({ store })
  const created = await act(gateway, 'createAccount', account('http://127.0.0.1:9/v1'))
  expect(created.__typename).toBe('CreateAccountSuccess')
  expect(JSON.stringify(await accountRecords(store).list())).not.toContain(canary)
})

test('a store of one machine has a key of its own, which only its owner can read', async () => {
  await using upstream = await startFakeAccount(completion)
  await using directory = await temporaryDirectory()
  const store = `file:${directory.path}`
  {
    await using gateway = await startAdminGateway({ store })
    await act(gateway, 'createAccount', account(`${upstream.url}/v1`))
  }
  // After a restart, and beside a key of the environment.
  await using gateway = await startAdminGateway({
    store,
    env: { DRAGOMAN_SECRET_KEY: newSecretKey() },
  })
  expect(await ask(gateway)).toBe(200)
  expect((await stat(join(directory.path, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('without a key that its processes share, Redis gets no literal credential, but the name of its place', async () => {
  await using redis = await startRedis()
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'credential')
  await writeFile(file, `${canary}\n`)
  await using upstream = await startFakeAccount(completion)
  await using gateway = await startAdminGateway({
    store: redis.url,
    env: { CREDENTIAL: second },
    admin: { credentials: ['env:CREDENTIAL', `file:${directory.path}/*`] },
  })
  const input = account(`${upstream.url}/v1`)
  const refused = await act(gateway, 'createAccount', input)
  expect(refused).toMatchObject({
    __typename: 'Invalid',
    problems: [
      { path: 'input.credential', fix: expect.stringContaining('DRAGOMAN_SECRET_KEY') as string },
    ],
  })
  expect(JSON.stringify(refused)).not.toContain(canary)

  const named = await act(gateway, 'createAccount', { ...input, credential: `file:${file}` })
  expect(named.account?.credential).toMatchObject({ source: 'FILE', hint: 'abcd' })
  expect(await ask(gateway)).toBe(200)
  expect(upstream.requests.at(-1)!.headers.authorization).toBe(`Bearer ${canary}`)
  const variable = await act(gateway, 'updateAccount', {
    id: 'stored',
    credential: 'env:CREDENTIAL',
  })
  expect(variable.account?.credential).toMatchObject({ source: 'ENV', hint: 'wxyz' })
  await ask(gateway)
  expect(upstream.requests.at(-1)!.headers.authorization).toBe(`Bearer ${second}`)
})

test('a reload reads the places of credentials again', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'credential')
  await writeFile(file, canary)
  await using upstream = await startFakeAccount(completion)
  const credentials = [`file:${directory.path}/*`]
  await using gateway = await startAdminGateway({ admin: { credentials } })
  const input = account(`${upstream.url}/v1`, { credential: `file:${file}` })
  await act(gateway, 'createAccount', input)
  await writeFile(file, second)
  await ask(gateway)
  const reload = () =>
    gateway.running.configure({
      accounts: [],
      aliases: {},
      keys: [{ id: 'test', hash: hashSecret(gateway.key), disabled: false }],
    })
  reload()
  await ask(gateway)
  // Without the file, the last known credential stays, and the problem is named.
  await rm(file)
  reload()
  await ask(gateway)
  expect(upstream.requests.map(({ headers }) => headers.authorization)).toEqual([
    `Bearer ${canary}`,
    `Bearer ${second}`,
    `Bearer ${second}`,
  ])
  expect((await accountOf(gateway, 'stored')).problems[0]?.message).toContain('no secret')
})

test('a place that does not exist, a masked credential and the secrets of the gateway are refused', async () => {
  await using gateway = await startAdminGateway({ env: { DRAGOMAN_ADMIN_TOKEN: canary } })
  const tries = {
    'env:NOT_THERE': 'not for credentials',
    'env:DRAGOMAN_ACCOUNT_NOT_THERE': 'no secret',
    'file:/run/secrets/none': 'not for credentials',
    'file:/nowhere/at/all': 'not for credentials',
    'file:relative': 'not for credentials',
    'env:DRAGOMAN_ADMIN_TOKEN': 'not for credentials',
    '': 'is empty',
    'sk-...abcd': 'is masked',
    '********': 'is masked',
    set: 'is masked',
    'two words': 'contains spaces',
  }
  for (const [credential, message] of Object.entries(tries)) {
    const { __typename, problems } = await act(gateway, 'createAccount', {
      ...account('http://127.0.0.1:9'),
      credential,
    })
    expect({ __typename, path: problems?.[0]?.path }).toEqual({
      __typename: 'Invalid',
      path: 'input.credential',
    })
    expect(problems?.[0]?.message).toContain(message)
    if (message === 'is masked') expect(problems?.[0]?.fix).toMatch(/^give the whole credential/)
  }
  expect(await accountsOf(gateway)).toEqual([])
})

test('weights have bounds, at which accounts share calls by them', async () => {
  await using gateway = await startAdminGateway({})
  for (const weight of [1e308, 1e6 + 1, 1e-7, 5e-324]) {
    const refused = await act(gateway, 'createAccount', account('http://127.0.0.1:9', { weight }))
    expect(refused.problems?.map(({ path }) => path)).toEqual(['input.weight'])
  }
  for (const [id, weight] of [
    ['heavy', 1e6],
    ['also-heavy', 1e6],
    ['light', 1e-6],
  ] as const)
    await act(
      gateway,
      'createAccount',
      account('http://127.0.0.1:9', { id, weight, models: ['m'] }),
    )
  const chances = `{ explain(input: {keyId: "test", dialect: "chat", model: "m"}) {
    candidates { accountId chance } } }`
  const { data } = await gateway.graph<{ explain: { candidates: { chance: number }[] } }>(chances)
  const found = data.explain.candidates.map(({ chance }) => chance)
  expect(found.slice(0, 2)).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)])
  expect(found[2]).toBeGreaterThan(0)
})

test('an input has the problems that a configuration would have, and none repeats the credential', async () => {
  await using gateway = await startAdminGateway({})
  const input = account('http://user:pass@host/', {
    id: 'no id',
    provider: canary,
    speaks: ['latin'],
    weight: 0,
  })
  const answer = await act(gateway, 'createAccount', input)
  expect(answer.problems?.map(({ path }) => path)).toEqual([
    'input.id',
    'input.baseUrl',
    'input.weight',
    'input.provider',
  ])
  const unknown = await act(gateway, 'createAccount', {
    ...input,
    id: 'stored',
    baseUrl: 'http://127.0.0.1:9',
    weight: 1,
  })
  expect(unknown.problems?.map(({ path }) => path)).toEqual(['input.provider', 'input.speaks'])
  const audit = await gateway.graph(`{ audit { edges { node { message target { id } } } } }`)
  const everything = JSON.stringify([answer, unknown, audit, gateway.log])
  expect(everything).not.toContain(canary)
  expect(everything).not.toContain('user:pass')
})

test('a malformed input is refused without its values', async () => {
  await using gateway = await startAdminGateway({})
  for (const wrong of [{ unknown: 1 }, { weight: 'heavy' }, { models: { m: canary } }]) {
    const { data, errors } = await send(gateway, 'createAccount', {
      ...account('http://127.0.0.1:9'),
      ...wrong,
    })
    expect(data ?? {}).toEqual({})
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify([errors, gateway.log])).not.toContain(canary)
  }
  const literals = [
    `createAccount(input: {id: "a", provider: "openai", credential: "${canary}", unknown: 1})`,
    `createAccount(input: {id: "a", provider: "openai", weight: "${canary}"})`,
    `createAccount(input: {id: "a", provider: "openai", enabled: "${canary}"})`,
    `createAccount(input: "${canary}")`,
    `createAccount("${canary}")`,
    `createAccount(input: {id "${canary}"})`,
    `createAccount(input: {credential: "${canary}"})`,
  ]
  for (const literal of literals) {
    const { errors } = await gateway.graph(`mutation { ${literal} { __typename } }`)
    expect(errors.length).toBeGreaterThan(0)
    expect(JSON.stringify([errors, gateway.log])).not.toContain(canary)
  }
})

test('another address or provider needs the credential again; another last slash does not', async () => {
  await using gateway = await startAdminGateway({})
  await act(gateway, 'createAccount', account('http://127.0.0.1:9/v1'))
  const id = 'stored'
  for (const moved of [
    { baseUrl: 'http://127.0.0.1:10/v1' },
    { baseUrl: 'https://127.0.0.1:9/v1' },
    { baseUrl: 'http://127.0.0.1:9/other/v1' },
    { baseUrl: 'http://127.0.0.1:9' },
    { provider: 'openai' },
  ]) {
    const { problems } = await act(gateway, 'updateAccount', { id, ...moved })
    expect(problems?.map(({ path }) => path)).toEqual(['input.credential'])
  }
  const path = await act(gateway, 'updateAccount', { id, baseUrl: 'http://127.0.0.1:9/v1/' })
  expect(path.account).toMatchObject({
    version: 2,
    baseUrl: 'http://127.0.0.1:9/v1',
    problems: [],
  })
  const moved = await act(gateway, 'updateAccount', {
    id,
    baseUrl: 'http://127.0.0.1:10/v1',
    credential: null,
  })
  expect(moved.account?.credential).toMatchObject({ isSet: false, hint: null })
})

test('an absent field stays, null clears it, and an old version changes nothing', async () => {
  await using gateway = await startAdminGateway({})
  const input = account('http://127.0.0.1:9', { weight: 3, priority: 2 })
  await act(gateway, 'createAccount', input)
  const changed = await act(gateway, 'updateAccount', {
    id: 'stored',
    weight: null,
    models: null,
    modelMap: { m: 'their-m' },
    expectedVersion: 1,
  })
  expect(changed.account).toMatchObject({
    weight: 1,
    priority: 2,
    models: ['m'],
    modelMap: { m: 'their-m' },
    version: 2,
  })
  const stale = await act(gateway, 'updateAccount', { id: 'stored', weight: 5, expectedVersion: 1 })
  const bare = await act(gateway, 'updateAccount', { id: 'stored', modelMap: null })
  expect(bare.problems?.[0]?.path).toBe('input.models')
  await act(gateway, 'updateAccount', { id: 'stored', models: ['m'] })
  const listed = await act(gateway, 'updateAccount', { id: 'stored', modelMap: null })
  expect(listed.account).toMatchObject({ models: ['m'], modelMap: null, version: 4 })
  expect(stale.__typename).toBe('Conflict')
  const cleared = await act(gateway, 'updateAccount', { id: 'stored', provider: null })
  expect(cleared.problems?.[0]?.path).toBe('input.provider')
  expect((await act(gateway, 'createAccount', input)).__typename).toBe('Conflict')
  const unwanted = { id: 'stored', reason: 'x', expectedVersion: 1 }
  expect((await act(gateway, 'deleteAccount', unwanted)).__typename).toBe('Conflict')
  expect((await act(gateway, 'updateAccount', { id: 'none' })).__typename).toBe('NotFound')
  expect((await accountOf(gateway, 'stored')).version).toBe(4)
})

test('a change by another process at the same time wins, and the act says so', async () => {
  const opened = await openStore('memory:', { cwd: '.' })
  let others = 0
  const records: Store['records'] = <T>(namespace: string, options?: { listed?: boolean }) => {
    const known = opened.records<T>(namespace, options)
    if (namespace !== 'accounts') return known
    const update: Records<T>['update'] = async (id, change) => {
      // Between the reading and the writing of the act.
      await accountRecords(opened).update(id, (present) => {
        others++
        return { ...present, version: present.version + 1 }
      })
      return await known.update(id, change)
    }
    return { ...known, update }
  }
  await using gateway = await startAdminGateway({ store: { ...opened, records } })
  await act(gateway, 'createAccount', account('http://127.0.0.1:9'))
  const { __typename } = await act(gateway, 'updateAccount', { id: 'stored', weight: 5 })
  expect({ __typename, others }).toEqual({ __typename: 'Conflict', others: 1 })
  await until(async () => (await accountOf(gateway, 'stored')).version === 2)
  expect((await accountOf(gateway, 'stored')).weight).toBe(1)
})

test('what the file has, the API does not change; a clash is named, and the file wins', async () => {
  await using upstream = await startFakeAccount(completion)
  const store = await openStore('memory:', { cwd: '.' })
  {
    await using before = await startAdminGateway({ store })
    await act(before, 'createAccount', account('http://127.0.0.1:9'))
  }
  const accounts = [
    {
      id: 'stored',
      provider: 'openai-compatible',
      baseUrl: upstream.url,
      apiKey: second,
      models: ['m'],
    },
  ]
  await using gateway = await startAdminGateway({ store, accounts })
  expect(await accountsOf(gateway)).toMatchObject([
    {
      managedBy: 'FILE',
      version: null,
      baseUrl: upstream.url,
      credential: { source: 'CONFIGURATION', hint: 'wxyz', changedAt: null },
      problems: [{ message: expect.stringContaining('the configuration wins') as string }],
    },
  ])
  expect(await ask(gateway)).toBe(200)
  for (const name of ['createAccount', 'updateAccount'] as const) {
    expect(await act(gateway, name, account('http://127.0.0.1:9'))).toMatchObject({
      __typename: 'ManagedByFile',
      fix: expect.stringMatching(/^write a configuration file \(`dragoman init`\)/) as string,
    })
  }
  // Only the record of the store goes.
  const gone = await act(gateway, 'deleteAccount', { id: 'stored', reason: 'clash' })
  expect(gone.__typename).toBe('DeleteAccountSuccess')
  expect((await accountOf(gateway, 'stored')).problems).toEqual([])
  const again = await act(gateway, 'deleteAccount', { id: 'stored', reason: 'clash' })
  expect(again.__typename).toBe('ManagedByFile')
})

/** Records that no version of the gateway writes. */
const hostile: Record<string, unknown> = {
  nothing: null,
  text: 'text',
  list: [1],
  later: { version: 1, createdAt: 1, changedAt: 1, account: {}, newer: true },
  'far-version': {
    version: 2 ** 40,
    createdAt: 1,
    changedAt: 1,
    account: { id: 'far-version', provider: 'openai', models: ['m'] },
  },
  'far-time': {
    version: 1,
    createdAt: 1e300,
    changedAt: 1,
    account: { id: 'far-time', provider: 'openai', models: ['m'] },
  },
  stranger: {
    version: 1,
    createdAt: 1,
    changedAt: 1,
    account: { id: 'stored', provider: 'openai', models: ['m'] },
  },
  ...Object.fromEntries(
    Object.entries({
      literal: { credential: { changedAt: 1, reference: canary } },
      gateway: { credential: { changedAt: 1, reference: 'env:DRAGOMAN_SECRET_KEY' } },
      'other-key': {
        credential: { changedAt: 1, sealed: { key: 'ff', nonce: 'AA', box: 'AA' } },
      },
      'bad-url': { account: { baseUrl: 'javascript:alert(1)' } },
      'bad-provider': { account: { provider: '__proto__' } },
      'bad-speaks': { account: { speaks: 5 } },
      'bad-weight': { account: { weight: -1 } },
      polluted: { account: { __proto__: { baseUrl: 'http://127.0.0.1:9' }, constructor: 1 } },
    }).map(([id, { account: fields = {}, ...rest }]: [string, Record<string, object>]) => [
      id,
      {
        version: 1,
        createdAt: 1,
        changedAt: 1,
        account: { id, provider: 'openai', models: ['m'], ...fields },
        ...rest,
      },
    ]),
  ),
}

test('hostile records reach no call, harm no other account, and are named without their content', async () => {
  await using upstream = await startFakeAccount(completion)
  const store = await openStore('memory:', { cwd: '.' })
  await using gateway = await startAdminGateway({ store })
  await act(gateway, 'createAccount', account(`${upstream.url}/v1`))
  const records = store.records<unknown>('accounts', { listed: true })
  for (const [id, value] of Object.entries(hostile)) await records.set(id, value)
  await until(async () => (await accountsOf(gateway, 'state: INVALID')).length > 0)
  const invalid = await accountsOf(gateway, 'state: INVALID')
  expect(invalid.map(({ id }) => id)).toEqual(Object.keys(hostile).toSorted())
  for (const { problems } of invalid) expect(problems.length).toBeGreaterThan(0)
  expect(await ask(gateway)).toBe(200)
  const health = gateway.running.plugins.find(({ name }) => name === 'health')
  const { details } = health as unknown as { details: HealthDetails }
  const counts = await details({ reader: 'operator', accounts: [] })
  expect(counts).toMatchObject({ accounts: { invalid: invalid.length } })
  expect(JSON.stringify([invalid, gateway.log])).not.toContain(canary)
  expect(JSON.stringify(gateway.log)).toContain('accounts of the store have problems')
  // They can be disabled, enabled and deleted.
  for (const { id } of invalid) {
    const { __typename } = await act(gateway, 'enableAccount', { id })
    expect(__typename).toBe('EnableAccountSuccess')
  }
  for (const { id } of invalid) {
    const { __typename } = await act(gateway, 'deleteAccount', { id, reason: 'hostile' })
    expect(__typename).toBe('DeleteAccountSuccess')
  }
})

test('a bad change of a record leaves the account as it was', async () => {
  await using upstream = await startFakeAccount(completion)
  const store = await openStore('memory:', { cwd: '.' })
  await using gateway = await startAdminGateway({ store })
  await act(gateway, 'createAccount', account(`${upstream.url}/v1`))
  const records = accountRecords(store)
  await records.update('stored', (known) => ({
    ...known,
    version: 2,
    account: { ...known.account, baseUrl: 'http://127.0.0.1:9', provider: 'nobody' },
  }))
  await until(async () => (await accountOf(gateway, 'stored')).problems.length > 0)
  expect(await ask(gateway)).toBe(200)
  expect(await accountOf(gateway, 'stored')).toMatchObject({
    state: 'ENABLED',
    provider: 'openai-compatible',
  })
})

test('a sealed credential opens for no other account and no other address', async () => {
  await using thief = await startFakeAccount(completion)
  const store: Store = await openStore('memory:', { cwd: '.' })
  await using first = await startAdminGateway({ store })
  await act(first, 'createAccount', account('http://127.0.0.1:9/v1'))
  const records = accountRecords(store)
  const sealed = (await records.get('stored'))!
  await records.set('copy', {
    ...sealed,
    account: { ...sealed.account, id: 'copy', baseUrl: thief.url },
  })
  await records.set('stored', {
    ...sealed,
    account: { ...sealed.account, baseUrl: thief.url },
  })
  // A process that has never seen the account.
  await using gateway = await startAdminGateway({ store })
  const problems = (await accountsOf(gateway)).map((one) => one.problems[0]?.message)
  expect(problems).toHaveLength(2)
  for (const message of problems) expect(message).toContain('does not open')
  expect(await ask(gateway)).toBe(404)
  expect(thief.requests).toEqual([])
})

test('the store goes away: accounts of the store go on, and an act says that nothing was changed', async () => {
  await using redis = await startRedis()
  await using upstream = await startFakeAccount(completion)
  await using gateway = await startAdminGateway({
    store: redis.url,
    env: { DRAGOMAN_SECRET_KEY: newSecretKey() },
  })
  await act(gateway, 'createAccount', account(`${upstream.url}/v1`))
  await redis.kill()
  const answer = await act(gateway, 'updateAccount', { id: 'stored', weight: 2 })
  expect(answer.__typename).toBe('StoreUnavailable')
  expect(await ask(gateway)).toBe(200)
})

test('a new account does not inherit that a former one of its id was disabled', async () => {
  const store = openMemoryStore()
  await setEnabled(store, 'account', 'stored', false)
  await using gateway = await startAdminGateway({ store })
  const made = await act(gateway, 'createAccount', account('http://127.0.0.1:9'))
  expect(made.account?.id).toBe('stored')
  await expect
    .poll(async () => (await accountOf(gateway, 'stored')).state, { timeout: 5_000 })
    .toBe('ENABLED')
})
