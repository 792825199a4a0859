import { expect, test } from 'vitest'

import { describeSettings } from '../../src/configuration/describe.ts'
import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { trackConfiguration } from '../../src/configuration/in-use.ts'
import { settingsBelow } from '../../src/configuration/with-store.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { setEnabled } from '../../src/stores/operator-states.ts'
import { startAdminGateway } from './admin-gateway.ts'

interface Setting {
  readonly path: string
  readonly value: unknown
  readonly origin: string
}

interface Shown {
  readonly configuration: {
    readonly settings: Setting[]
    readonly settingsCount: number
    readonly problems: unknown[]
    readonly needsRestart: string[]
    readonly hash: string
    readonly file: string | null
    readonly loadedAt: string
  }
}

const query = `query ($section: String, $skip: Int) { configuration {
  settings(section: $section, skip: $skip) { path value origin } settingsCount
  problems { path message fix } needsRestart hash loadedAt file } }`

/** A configuration with every setting that can carry a secret, each a canary of its own. */
const secretive = {
  keys: [
    { id: 'literal', secret: 'key-secret-canary' },
    { id: 'odd', secret: 'env-like:odd-canary' },
    { id: 'hashed', hash: `sha256:${'c0ffee'.repeat(11).slice(0, 64)}` },
    { id: 'named', secret: 'env:KEY_CANARY_NAME' },
  ],
  accounts: [
    {
      id: 'one',
      provider: 'openai',
      baseUrl: 'https://host.example/path-canary/v1',
      apiKey: 'account-key-canary',
      models: ['m'],
    },
    {
      id: 'two',
      provider: 'anthropic',
      apiKey: 'env:ACCOUNT_CANARY_NAME',
      models: ['n'],
      weight: 3,
    },
  ],
  uploads: {
    secret: 'uploads-secret-canary-of-32-characters',
    storages: {
      s3: {
        bucket: 'files',
        region: 'eu-west-1',
        accessKeyId: 'access-id-canary',
        secretAccessKey: 'secret-access-canary',
        sessionToken: 'session-token-canary',
      },
    },
  },
  limits: { attempts: 50 },
}

const env = {
  KEY_CANARY_NAME: 'key-environment-canary',
  ACCOUNT_CANARY_NAME: 'account-environment-canary',
  DRAGOMAN_STORE: 'redis://user-canary:password-canary@store.example:6379/0?prefix=query-canary:',
  DRAGOMAN_PORT: '9000',
}

const plugin = Object.assign(definePlugin({ name: 'mine' }), {
  options: { token: 'plugin-canary' },
})

function describeAll() {
  const { settings, problems } = checkConfiguration(
    { ...secretive, plugins: [plugin], admin: { port: 9100 } },
    { env, flags: { host: '0.0.0.0' } },
  )
  expect(problems).toEqual([])
  return [...describeSettings(settings)]
}

test('no answer about a full configuration has a secret in it', async () => {
  const text = JSON.stringify(describeAll())
  expect(text).not.toMatch(/canary(?!_name)/i)
  expect(text).not.toContain('c0ffee')

  const { store: _store, ...rest } = { store: undefined, ...secretive }
  await using gateway = await startAdminGateway({
    ...rest,
    keys: [{ id: 'test', secret: 'test-secret' }, ...secretive.keys.slice(0, 3)],
    accounts: [secretive.accounts[0]!],
    plugins: [plugin],
  })
  const { data, errors } = await gateway.graph<Shown>(query, {}, 'viewer')
  expect(errors).toEqual([])
  expect(JSON.stringify(data)).not.toMatch(/canary|c0ffee|test-secret/i)
  expect(data.configuration.settings.find(({ path }) => path === 'accounts[0].apiKey')).toEqual({
    path: 'accounts[0].apiKey',
    value: 'set',
    origin: 'FILE',
  })
})

test('each value has its origin, and a named secret the name of its source', () => {
  const described = describeAll()
  const rows = [
    ['listen.host', '0.0.0.0', 'FLAG'],
    ['listen.port', 9000, 'ENVIRONMENT'],
    ['admin.port', 9100, 'FILE'],
    ['admin.host', '127.0.0.1', 'DEFAULT'],
    ['store', 'redis://store.example:6379/...', 'ENVIRONMENT'],
    ['limits.attempts', 50, 'FILE'],
    ['limits.jsonValues', 250_000, 'DEFAULT'],
    ['losses', 'drop', 'DEFAULT'],
    ['keys[0].secret', 'set', 'FILE'],
    ['keys[2].hash', 'set', 'FILE'],
    ['keys[3].secret', 'env:KEY_CANARY_NAME', 'FILE'],
    ['accounts[0].baseUrl', 'https://host.example/...', 'FILE'],
    ['accounts[0].weight', 1, 'DEFAULT'],
    ['accounts[1].weight', 3, 'FILE'],
    ['accounts[1].apiKey', 'env:ACCOUNT_CANARY_NAME', 'FILE'],
    ['uploads.secret', 'set', 'FILE'],
    ['uploads.storages.s3.bucket', 'files', 'FILE'],
    ['uploads.storages.s3.secretAccessKey', 'set', 'FILE'],
    ['plugins[0].name', 'mine', 'FILE'],
  ] as const
  for (const [path, value, origin] of rows) {
    expect(
      described.find((one) => one.path === path),
      path,
    ).toEqual({ path, value, origin })
  }
})

test('no path of the machine is shown that the configuration does not name', async () => {
  await using gateway = await startAdminGateway({ accounts: [] })
  const { data } = await gateway.graph<Shown>(query)
  const paths = data.configuration.settings.map(({ path }) => path)
  expect(paths).not.toContain('spool')
  expect(paths).not.toContain('uploads.directory')
  expect(data.configuration).toMatchObject({ file: null, problems: [], needsRestart: [] })
})

test('an account that an operator has disabled is disabled by the store', async () => {
  await using gateway = await startAdminGateway({ accounts: [secretive.accounts[0]!] })
  const ask = async () =>
    (await gateway.graph<Shown>(query, { section: 'accounts[0].enabled' })).data.configuration
  expect((await ask()).settings).toEqual([
    { path: 'accounts[0].enabled', value: true, origin: 'DEFAULT' },
  ])
  const disable = `mutation { disableAccount(input: {id: "one", reason: "x"}) { __typename } }`
  await gateway.graph(disable, {}, 'operator')
  await expect
    .poll(async () => (await ask()).settings, { timeout: 5_000 })
    .toEqual([{ path: 'accounts[0].enabled', value: false, origin: 'STORE' }])
})

test('settings that the store changes are merged once for each change', async () => {
  const account = { provider: 'openai', apiKey: 'k', models: ['m'] }
  const accounts = ['a', 'b'].map((id) => ({ ...account, id }))
  await using gateway = await startAdminGateway({ accounts })
  const { running, services } = gateway
  const all = () => settingsBelow(services.configuration, running.accounts.snapshot, '')
  const disabled = async () =>
    (await all()).filter(({ origin }) => origin === 'STORE').map(({ path }) => path)
  async function enable(id: string, isEnabled: boolean): Promise<void> {
    await setEnabled(running.store, 'account', id, isEnabled)
    await running.accountStates.catchUp()
  }
  await enable('a', false)
  expect(await disabled()).toEqual(['accounts[0].enabled'])
  expect(await all()).toBe(await all())
  await enable('b', false)
  expect(await disabled()).toEqual(['accounts[0].enabled', 'accounts[1].enabled'])
  await enable('a', true)
  await enable('b', true)
  expect(await disabled()).toEqual([])
})

test('the settings of 10,000 accounts come in parts', async () => {
  const accounts = Array.from({ length: 2_000 }, (_, index) => ({
    id: `account-${index}`,
    provider: 'openai',
    apiKey: 'k',
    models: ['m'],
  }))
  await using gateway = await startAdminGateway({ accounts })
  const ask = async (variables: object) =>
    (await gateway.graph<Shown>(query, variables)).data.configuration
  const first = await ask({})
  expect(first.settings).toHaveLength(1_000)
  expect(first.settingsCount).toBeGreaterThan(10_000)
  const next = await ask({ skip: 1_000 })
  expect(next.settings[0]?.path).not.toBe(first.settings[0]?.path)
  expect(
    (await ask({ section: 'accounts[7]' })).settings.every(({ path }) =>
      path.startsWith('accounts[7].'),
    ),
  ).toBe(true)
})

test('after a reload, what needs a restart keeps its value and is named', async () => {
  const settingsOf = (config: object) => checkConfiguration(config, { env: {} }).settings
  const accounts = [{ id: 'one', provider: 'openai', apiKey: 'k', models: ['m'] }]
  const tracker = trackConfiguration(settingsOf({ losses: 'drop', accounts }), {
    file: '/somewhere/dragoman.config.json',
  })
  const { inUse } = tracker
  const before = await inUse.hash()
  const valueOf = async (path: string) =>
    (await inUse.describe()).find((one) => one.path === path)?.value

  tracker.refused([{ path: 'accounts', message: 'is wrong', fix: 'mend it' }])
  expect(inUse).toMatchObject({ file: 'dragoman.config.json', problems: [{ path: 'accounts' }] })
  tracker.reloaded(settingsOf({ losses: 'reject', accounts: [{ ...accounts[0], id: 'two' }] }))
  expect(inUse).toMatchObject({ problems: [], needsRestart: ['losses'] })
  expect([await valueOf('losses'), await valueOf('accounts[0].id')]).toEqual(['drop', 'two'])
  expect([inUse.settings.losses, inUse.settings.accounts[0]?.id]).toEqual(['drop', 'two'])
  expect(await inUse.hash()).not.toBe(before)
  // The next reload names it still, although nothing about it has changed since the last one.
  tracker.reloaded(settingsOf({ losses: 'reject', accounts }))
  expect(inUse.needsRestart).toEqual(['losses'])
})

const oidc = {
  issuer: 'https://login.example.com/tenant',
  clientId: 'dragoman',
  clientSecret: 'oidc-secret-canary',
  roles: { staff: 'admin', others: 'viewer' },
}

test('a group that a reload takes away keeps no right, and hosts and proxies change', async () => {
  const settingsOf = (admin: object) => checkConfiguration({ admin }, { env: {} }).settings
  const tracker = trackConfiguration(
    settingsOf({ oidc, allowedHosts: ['old.example'], trustedProxies: ['10.0.0.0/8'] }),
  )
  const { inUse } = tracker
  const before = await inUse.hash()
  tracker.reloaded(settingsOf({ oidc: { ...oidc, roles: { others: 'viewer' } } }))
  expect(inUse.settings.adminAccess?.oidc?.roles).toEqual({ others: 'viewer' })
  expect(inUse.settings.adminAccess).toMatchObject({ allowedHosts: [], trustedProxies: [] })
  expect(inUse.needsRestart).toEqual([])
  expect(await inUse.hash()).not.toBe(before)
  expect(await inUse.describe()).toContainEqual({
    path: 'admin.oidc.roles',
    value: { others: 'viewer' },
    origin: 'FILE',
  })
  tracker.reloaded(settingsOf({}))
  expect(inUse.settings.adminAccess).toBeUndefined()
  expect((await inUse.describe()).filter(({ path }) => path.startsWith('admin.oidc'))).toEqual([])
})

test('how the admin address is reached is shown, without the secret of the provider', () => {
  const admin = { oidc, allowedHosts: ['admin.example'] }
  const { settings } = checkConfiguration({ admin }, { env: {} })
  const shown = [...describeSettings(settings)]
  expect(JSON.stringify(shown)).not.toContain('canary')
  expect(shown).toEqual(
    expect.arrayContaining([
      { path: 'admin.allowedHosts', value: ['admin.example'], origin: 'FILE' },
      { path: 'admin.trustedProxies', value: [], origin: 'DEFAULT' },
      { path: 'admin.oidc.issuer', value: 'https://login.example.com/...', origin: 'FILE' },
      { path: 'admin.oidc.clientSecret', value: 'set', origin: 'FILE' },
      { path: 'admin.oidc.scopes', value: ['openid', 'profile', 'email'], origin: 'DEFAULT' },
    ]),
  )
})

test('the settings are described once, however often operators ask, until a reload takes effect', async () => {
  const { settings } = checkConfiguration({ accounts: [] }, { env: {} })
  const tracker = trackConfiguration(settings)
  const { inUse } = tracker
  const [described, hash] = [await inUse.describe(), await inUse.hash()]
  expect(await inUse.describe()).toBe(described)
  const next = checkConfiguration({ accounts: [], aliases: { added: 'model' } }, { env: {} })
  tracker.reloaded(next.settings)
  expect(await inUse.describe()).toContainEqual(expect.objectContaining({ path: 'aliases.added' }))
  expect(await inUse.hash()).not.toBe(hash)
})

test('replicas that differ in what each has for itself have one hash, and others do not', async () => {
  const config = { accounts: [{ id: 'one', provider: 'openai', apiKey: 'k', models: ['m'] }] }
  const hashOf = (changes: object, { env: variables = {}, flags = {} } = {}) => {
    const checked = checkConfiguration({ ...config, ...changes }, { env: variables, flags })
    expect(checked.problems).toEqual([])
    return trackConfiguration(checked.settings).inUse.hash()
  }
  const plain = await hashOf({})
  expect(await hashOf({}, { flags: { port: '9001', adminPort: '9002' } })).toBe(plain)
  expect(await hashOf({}, { flags: { host: '127.0.0.2', adminHost: '::1' } })).toBe(plain)
  expect(await hashOf({ store: 'redis://other.example:6379/1' })).toBe(plain)
  expect(await hashOf({ spool: '/var/spool/other', publicUrl: 'https://a.example' })).toBe(plain)
  // One process has a value from its file, another from its environment, a third by default.
  const fromVariable = { env: { DRAGOMAN_LOG_LEVEL: 'info' } }
  expect(await hashOf({ log: { level: 'info' }, losses: 'drop' })).toBe(plain)
  expect(await hashOf({}, fromVariable)).toBe(plain)

  expect(await hashOf({ losses: 'reject' })).not.toBe(plain)
  expect(await hashOf({ log: { level: 'debug' } })).not.toBe(plain)
  expect(await hashOf({ admin: { allowedHosts: ['admin.example'] } })).not.toBe(plain)
  expect(await hashOf({ accounts: [{ ...config.accounts[0], models: ['n'] }] })).not.toBe(plain)
})
