import { describe, expect, test } from 'vitest'

import type { Config } from '../../src/configuration/config.generated.ts'
import { ConfigurationError, type Problem } from '../../src/contract/problems.ts'
import { checkConfiguration, resolveSettings } from '../../src/configuration/resolve.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'

const defaults = resolveSettings({}, { env: {} })

const account = { id: 'a', provider: 'openai', models: ['gpt-*'] }

function problemsOf(config: unknown, env = {}, flags = {}): Problem[] {
  return checkConfiguration(config, { env, flags }).problems
}

function pathsOf(config: unknown, env = {}, flags = {}): string[] {
  return problemsOf(config, env, flags).map(({ path }) => path)
}

test('an empty configuration and one of empty groups are all defaults', () => {
  const groups = [
    'listen',
    'admin',
    'limits',
    'timeouts',
    'uploads',
    'imageModels',
    'remote',
    'log',
    'telemetry',
  ]
  const empty = Object.fromEntries(groups.map((name) => [name, {}]))
  expect(resolveSettings(empty, { env: {} })).toEqual(defaults)
})

test('every setting arrives, completed', () => {
  const plugin = { name: 'mine' }
  const config: Config = {
    listen: { host: '0.0.0.0', port: 80 },
    admin: { port: 81 },
    store: 'memory:',
    keys: [
      { id: 'plain', secret: 's3cret' },
      { id: 'env', secret: 'env:TEAM_KEY', models: ['gpt-*'], expiresAt: '2030-01-31T00:00:00Z' },
      { id: 'hash', hash: `sha256:${'AB'.repeat(32)}`, disabled: true, expiresAt: new Date(5e12) },
    ],
    accounts: [
      { id: 'one', provider: 'openai', models: ['*'], apiKey: 'env:UP_KEY' },
      {
        id: 'two',
        provider: 'openai-compatible',
        baseUrl: 'http://localhost:1234/v1',
        speaks: ['chat'],
        models: { 'gpt-*': 'local' },
        outputLimitField: 'max_completion_tokens',
        asksForUsage: false,
        replyModel: 'client',
        weight: 2.5,
        priority: -1,
        enabled: false,
      },
    ],
    aliases: { fast: 'quick', quick: { model: 'gpt-4.1-mini', replyModel: 'client' } },
    teams: [{ id: 'red', quotas: [{ kind: 'cost' as const, amount: '2.5' }] }],
    quotas: [{ kind: 'requests' as const, amount: 5, action: 'warn' as const }],
    alerts: { webhook: { url: 'https://hooks.example.com', secret: 'env:UP_KEY' } },
    prices: { 'gpt-4.1-mini': { rates: { input: '0.4', output: 1.6 } } },
    errors: 'upstream',
    limits: { attempts: 2 },
    timeouts: { drainMs: 5 },
    clientGone: 'drain',
    history: false,
    losses: 'native',
    spool: '/var/spool',
    publicUrl: 'https://llm.example.com',
    trustedProxies: ['private'],
    uploads: { maxBytes: 5, directory: '/files', types: ['image/*'] },
    imageModels: { legacy: ['old-*'] },
    passthrough: [{ path: '/v1/x/*', pool: ['one', 'two'], methods: ['GET'] }],
    remote: { allow: ['media.internal:443'], maxFiles: 0 },
    capture: { directory: '/captures', keepHours: 2 },
    log: { level: 'warn' as const, access: 'errors' as const, file: '/logs/all' },
    telemetry: {
      metrics: { requireToken: true },
    },
    plugins: [plugin],
  }
  expect(resolveSettings(config, { env: { TEAM_KEY: 'k', UP_KEY: 'sk-1' } })).toEqual({
    listen: { host: '0.0.0.0', port: 80 },
    admin: { host: '127.0.0.1', port: 81 },
    store: 'memory:',
    keys: [
      { id: 'plain', hash: hashSecret('s3cret'), disabled: false, explain: false },
      {
        id: 'env',
        hash: hashSecret('k'),
        models: ['gpt-*'],
        expiresAt: Date.UTC(2030, 0, 31),
        disabled: false,
        explain: false,
      },
      {
        id: 'hash',
        hash: `sha256:${'ab'.repeat(32)}`,
        disabled: true,
        explain: false,
        expiresAt: 5e12,
      },
    ],
    accounts: [
      {
        id: 'one',
        provider: 'openai',
        models: ['*'],
        apiKey: 'sk-1',
        weight: 1,
        priority: 0,
        enabled: true,
        asksForUsage: true,
        replyModel: 'account',
      },
      config.accounts?.[1],
    ],
    aliases: config.aliases,
    teams: config.teams,
    quotas: config.quotas,
    alerts: { webhook: { url: 'https://hooks.example.com', secret: 'sk-1' } },
    prices: config.prices,
    errors: 'upstream',
    limits: { ...defaults.limits, attempts: 2 },
    timeouts: { ...defaults.timeouts, drainMs: 5 },
    clientGone: 'drain',
    history: false,
    losses: 'native',
    spool: '/var/spool',
    credentialPlaces: {
      ...defaults.credentialPlaces,
      used: ['env:TEAM_KEY', 'env:UP_KEY'],
      apiKeys: [{ place: 'env:UP_KEY', address: 'openai' }],
    },
    publicUrl: 'https://llm.example.com',
    trustedProxies: ['private'],
    uploads: {
      ...defaults.uploads,
      maxBytes: 5,
      isLimited: true,
      directory: '/files',
      types: ['image/*'],
    },
    imageModels: { ...defaults.imageModels, legacy: ['old-*'] },
    passthrough: [{ path: '/v1/x/*', pool: ['one', 'two'], methods: ['GET'] }],
    remote: {
      ...defaults.remote,
      allow: ['media.internal:443'],
      maxFiles: 0,
    },
    capture: { directory: '/captures', keepHours: 2, maxBytes: 67_108_864 },
    log: {
      level: 'warn',
      format: 'auto',
      access: 'errors',
      file: '/logs/all',
    },
    telemetry: {
      metrics: { requireToken: true, models: [], by: [], otlp: false },
      logs: { otlp: false, access: false, ledger: false },
      traces: false,
    },
    plugins: [plugin],
  })
})

describe('precedence', () => {
  const config = { listen: { host: 'file', port: 1 }, admin: { port: 2 }, store: 'file:a' }
  const env = {
    DRAGOMAN_HOST: 'env',
    DRAGOMAN_PORT: '11',
    DRAGOMAN_ADMIN_HOST: 'env-admin',
    DRAGOMAN_ADMIN_PORT: '12',
    DRAGOMAN_STORE: 'file:b',
  }

  test('the environment wins over the file', () => {
    expect(resolveSettings(config, { env })).toMatchObject({
      listen: { host: 'env', port: 11 },
      admin: { host: 'env-admin', port: 12 },
      store: 'file:b',
    })
  })

  test('flags win over the environment', () => {
    const flags = { host: 'flag', port: '21', adminPort: '22', store: 'memory:' }
    expect(resolveSettings(config, { env, flags })).toMatchObject({
      listen: { host: 'flag', port: 21 },
      admin: { host: 'env-admin', port: 22 },
      store: 'memory:',
    })
  })

  test('an empty variable is none', () => {
    expect(resolveSettings(config, { env: { DRAGOMAN_PORT: '' } }).listen.port).toBe(1)
  })

  test('what is wrong is told with the name of its source', () => {
    const flags = { adminPort: '70000', store: 'redis+sentinel://x' }
    const paths = ['DRAGOMAN_PORT', '--admin-port', '--store']
    expect(pathsOf({}, { DRAGOMAN_PORT: 'x' }, flags)).toEqual(paths)
  })
})

describe('problems', () => {
  test('all are told at once, each with a fix', () => {
    const config = {
      lisen: {},
      listen: { port: '80' },
      keys: [{ id: 'k', secret: 'env:NOT_SET' }, 7],
      accounts: [{ id: 'x y', provider: 'openai', models: [], apiKey: 'env:NOT_SET_EITHER' }],
      timeouts: { drianMs: 1 },
    }
    const error = catchError(() => resolveSettings(config, { env: {} }))
    expect(error).toBeInstanceOf(ConfigurationError)
    const problems = [
      'lisen',
      'listen.port',
      'accounts[0].id',
      'accounts[0].models',
      'accounts[0].apiKey',
      'keys[0].secret',
      'keys[1]',
      'timeouts.drianMs',
    ]
    expect((error as ConfigurationError).problems.map(({ path }) => path)).toEqual(problems)
    for (const path of problems) expect((error as Error).message).toContain(`  ${path}\n`)
    expect((error as Error).message).toContain('8 problems')
    expect((error as Error).message.match(/fix: \S/g)).toHaveLength(8)
  })

  test('a mistyped setting names the one that was meant', () => {
    const problems = problemsOf({
      acounts: [],
      accounts: [{ ...account, api_key: 'x', basURL: 'http://x' }],
      keys: [{ id: 'k', secret: 's', expires: 1 }],
      colour: 'red',
    })
    expect(problems.map(({ path, fix }) => `${path} ${fix}`)).toEqual([
      'acounts did you mean "accounts"?',
      'colour use one of listen, admin, store, keys, accounts, teams, quotas, alerts, aliases, prices, errors, limits, timeouts, spool, clientGone, losses, publicUrl, trustedProxies, uploads, imageModels, passthrough, remote, capture, history, log, telemetry, plugins, $schema',
      'accounts[0].api_key did you mean "apiKey"?',
      'accounts[0].basURL did you mean "baseUrl"?',
      'keys[0].expires did you mean "expiresAt"?',
    ])
  })

  test('an address of a schema that is no text is named', () => {
    expect(problemsOf({ $schema: 5 }).map(({ path }) => path)).toEqual(['$schema'])
  })

  test('a missing variable is named', () => {
    const config = { accounts: [{ ...account, apiKey: 'env:OPENAI_API_KEY' }] }
    expect(problemsOf(config, { OPENAI_API_KEYS: 'x' })).toEqual([
      {
        path: 'accounts[0].apiKey',
        message: 'the environment variable OPENAI_API_KEY is not set',
        fix: 'set OPENAI_API_KEY before the gateway starts',
        hint: 'did you mean OPENAI_API_KEYS?',
      },
    ])
    expect(problemsOf(config, { OPENAI_API_KEY: '' })[0]?.message).toMatch(/is empty$/)
    expect(problemsOf({ accounts: [{ ...account, apiKey: 'env:' }] })[0]?.message).toBe(
      'env: is not followed by the name of an environment variable',
    )
  })

  test('no problem repeats a secret', () => {
    const secret = 'hush-hush '
    const config = {
      store: `redis+cluster://:${secret}@host/1`,
      keys: [
        { id: 'a', secret },
        { id: 'b', hash: secret },
        { id: 'c', secret: 'env:BAD' },
      ],
      accounts: [{ ...account, apiKey: secret, baseUrl: `https://user:${secret}@host` }],
    }
    const error = catchError(() => resolveSettings(config, { env: { BAD: secret } })) as Error
    expect(error.message).not.toContain('hush')
    expect(pathsOf(config, { BAD: secret })).toEqual([
      'store',
      'accounts[0].baseUrl',
      'accounts[0].apiKey',
      'keys[0].secret',
      'keys[1].hash',
      'keys[2].secret',
    ])
  })

  test.each<[string, unknown, string[]]>([
    ['no object', [], ['the configuration']],
    ['nothing', undefined, ['the configuration']],
    ['a key with neither secret nor hash', { keys: [{ id: 'a' }] }, ['keys[0]']],
    ['a key with both', { keys: [{ id: 'a', secret: 's', hash: hashSecret('s') }] }, ['keys[0]']],
    [
      'two keys of one id',
      {
        keys: [
          { id: 'a', secret: 's' },
          { id: 'a', secret: 't' },
        ],
      },
      ['keys[1].id'],
    ],
    [
      'two keys of one secret',
      {
        keys: [
          { id: 'a', secret: 's' },
          { id: 'b', hash: hashSecret('s') },
        ],
      },
      ['keys[1]'],
    ],
    ['two accounts of one id', { accounts: [account, account] }, ['accounts[1].id']],
    ['no models', { accounts: [{ ...account, models: [] }] }, ['accounts[0].models']],
    ['an empty map of models', { accounts: [{ ...account, models: {} }] }, ['accounts[0].models']],
    ['a blank model', { accounts: [{ ...account, models: [''] }] }, ['accounts[0].models[0]']],
    [
      'an undefined secret',
      { accounts: [{ ...account, apiKey: undefined }] },
      ['accounts[0].apiKey'],
    ],
    ['a weight of zero', { accounts: [{ ...account, weight: 0 }] }, ['accounts[0].weight']],
    [
      'a weight without a sum',
      { accounts: [{ ...account, weight: 1e308 }] },
      ['accounts[0].weight'],
    ],
    [
      'a weight of no share',
      { accounts: [{ ...account, weight: 5e-324 }] },
      ['accounts[0].weight'],
    ],
    [
      'a base URL without a scheme',
      { accounts: [{ ...account, baseUrl: 'x' }] },
      ['accounts[0].baseUrl'],
    ],
    ['an alias of itself', { aliases: { a: 'a' } }, ['aliases.a']],
    [
      'a circle of aliases with settings',
      { aliases: { a: { model: 'b' }, b: { model: 'a', replyModel: 'client' } } },
      ['aliases.a'],
    ],
    [
      'a model of no kind',
      { aliases: { a: { model: 'b', replyModel: 'mine' } } },
      ['aliases.a.replyModel'],
    ],
    ['a circle of aliases', { aliases: { a: 'b', b: 'c', c: 'b', d: 'a' } }, ['aliases.b']],
    [
      'a time without a zone',
      { keys: [{ id: 'a', secret: 's', expiresAt: '2030-01-01T00:00' }] },
      ['keys[0].expiresAt'],
    ],
    [
      'a time in seconds',
      { keys: [{ id: 'a', secret: 's', expiresAt: 1.9e9 }] },
      ['keys[0].expiresAt'],
    ],
    [
      'a date that is none',
      { keys: [{ id: 'a', secret: 's', expiresAt: new Date('x') }] },
      ['keys[0].expiresAt'],
    ],
    ['another store', { store: 'postgres://x' }, ['store']],
    ['a store without a directory', { store: 'file:' }, ['store']],
    ['one port for both', { listen: { port: 9 }, admin: { port: 9 } }, ['admin.port']],
    ['plugins without a name', { plugins: [{}, 'x'] }, ['plugins[0]', 'plugins[1]']],
    ['null where an object belongs', { limits: null }, ['limits']],
    ['a list where an object belongs', { listen: [] }, ['listen']],
    ['an object where a list belongs', { keys: {} }, ['keys']],
  ])('%s', (_name, config, paths) => {
    expect(pathsOf(config)).toEqual(paths)
  })

  test.each([
    'redis://localhost',
    'rediss://user:word@h:6380/1?prefix=x:',
    'redis+sentinel://a:1,b:2/main',
    'redis+cluster://a,b',
  ])('%s is a store', (store) => {
    expect(problemsOf({ store })).toEqual([])
  })

  test.each(['redis+sentinel://a', 'redis+cluster://a/1', 'rediss:'])('%s is none', (store) => {
    expect(pathsOf({ store })).toEqual(['store'])
  })

  test('a store may be named by a variable, and its password is not repeated', () => {
    const env = { STORE: 'redis+sentinel://:word@a' }
    const { problems } = checkConfiguration({ store: 'env:STORE' }, { env })
    expect(problems.map(({ path }) => path)).toEqual(['store'])
    expect(JSON.stringify(problems)).not.toContain('word')
    const good = checkConfiguration({ store: 'env:STORE' }, { env: { STORE: 'redis://:w@a' } })
    expect(good.settings.store).toBe('redis://:w@a')
  })

  test('plugins themselves are refused in JSON alone', () => {
    const config = { plugins: [{ name: 'x' }] }
    const inJson = checkConfiguration(config, { env: {}, file: '/x/dragoman.config.json' })
    expect(inJson.problems.map(({ path }) => path)).toEqual(['plugins[0].use'])
    expect(pathsOf(config)).toEqual([])
  })

  test('what is in order is kept, with its place', () => {
    const examined = checkConfiguration(
      {
        accounts: [
          { ...account, id: '' },
          { ...account, id: 'good' },
        ],
        errors: 'upstream',
      },
      { env: {} },
    )
    expect(examined.settings.accounts).toMatchObject([{ id: 'good' }])
    expect(examined.accountPaths).toEqual(['accounts[1]'])
    expect(examined.settings.errors).toBe('upstream')
  })
})

function catchError(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

test('a relative spool starts at the working directory that an application names', () => {
  expect(resolveSettings({ spool: 'forms' }, { env: {}, cwd: '/srv/app' }).spool).toBe(
    '/srv/app/forms',
  )
})
