import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'
import { warningsOf } from './warned.ts'

const key = { id: 'team', secret: 'hush-0123456789abcdef' }
const account = { id: 'up', provider: 'openai', apiKey: 'hush', models: ['gpt-*'] }

test('a start warns of what `check` warns of, also of no accounts and of aliases that lead nowhere', async () => {
  const cases = [
    [{ accounts: [] }, ['accounts: no account exists, so no model is available']],
    [
      { accounts: [{ ...account, apiKey: undefined }], aliases: { x: 'nosuch' } },
      [
        'accounts[0].apiKey: account "up" has no apiKey; provider "openai" requires one',
        'aliases.x: no account has the model "nosuch"',
      ],
    ],
    [{ accounts: [account] }, []],
  ] as const
  for (const [configuration, expected] of dailyRows(cases, 2)) {
    await using place = await openPlace()
    const log = { format: 'json' }
    const text = JSON.stringify({ keys: [key], log, ...configuration })
    await place.write('dragoman.config.json', text)
    const server = place.start(anyPorts)
    await addressesOf(server)
    const lines = server.output.stderr.split('\n').filter((line) => line.startsWith('{'))
    const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const warnings = entries.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ msg }) => msg)).toEqual(expected)
  }
})

describe('check warns', () => {
  test('of nothing where all can be meant', async () => {
    const local = { id: 'local', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:9/v1' }
    const accounts = [account, { ...local, models: ['llama'] }]
    const aliases = { quick: 'gpt-4.1-mini', quicker: 'quick' }
    expect(await warningsOf({ keys: [key], accounts, aliases })).toEqual([])
  })

  test('of quotas of models that no account has, and of aliases, whose calls count as their models', async () => {
    const quota = (...models: string[]) => ({ kind: 'requests' as const, amount: 1, models })
    const configuration = {
      keys: [{ ...key, quotas: [quota('gpt-5'), quota('llama-*')] }],
      accounts: [account],
      aliases: { quick: 'gpt-4.1-mini' },
      teams: [{ id: 'red', quotas: [quota('quick')] }],
    }
    expect(await warningsOf(configuration)).toEqual([
      'keys[0].quotas[1].models: no account has a model "llama-*".',
      'teams[0].quotas[0].models: no account has a model "quick"; calls of the alias "quick" count as "gpt-4.1-mini".',
    ])
  })

  test('of a key that strangers can guess', async () => {
    const short = { id: 'short', secret: '0123456789abcdefghi' }
    expect(await warningsOf({ keys: [key, short], accounts: [account] })).toEqual([
      'keys[1].secret: has fewer than 20 characters, so that it can be guessed; set it to the output of `openssl rand -hex 32`.',
    ])
  })

  test.each(['openai', 'anthropic', 'gemini'])(
    'of an account of %s without a key',
    async (provider) => {
      const accounts = [account, { id: 'mute', provider, models: ['*'] }]
      expect(await warningsOf({ keys: [key], accounts })).toEqual([
        `accounts[1].apiKey: account "mute" has no apiKey; provider "${provider}" requires one.`,
      ])
    },
  )

  test('of no account that is taken out', async () => {
    const off = { id: 'off', provider: 'openai', models: ['gpt-9'], enabled: false }
    const aliases = { next: 'gpt-9' }
    expect(await warningsOf({ keys: [key], accounts: [account, off], aliases })).toEqual([])
  })

  test('of aliases that lead to no model', async () => {
    const aliases = { fine: 'gpt-5', lost: 'claude-9', further: 'lost' }
    expect(await warningsOf({ keys: [key], accounts: [account], aliases })).toEqual([
      'aliases.lost: no account has the model "claude-9".',
      'aliases.further: no account has the model "claude-9".',
    ])
  })

  test('of an address of which nobody can be told, for others than this machine', async () => {
    const open = { keys: [key], accounts: [account], listen: { host: '0.0.0.0' } }
    expect(await warningsOf({ ...open, uploads: { directory: false } })).toEqual([
      'publicUrl: is not set, so the gateway cannot issue URLs for uploads and for videos of operations.',
    ])
    expect(await warningsOf({ ...open, publicUrl: 'https://llm.example.com' })).toEqual([])
    expect(await warningsOf({ ...open, trustedProxies: ['10.0.0.5'] })).toEqual([])
  })

  test('of proxies as which every client can pose', async () => {
    const trustedProxies = ['10.0.0.0/8', '0.0.0.0/0', '::/0']
    expect(await warningsOf({ keys: [key], accounts: [account], trustedProxies })).toEqual(
      ['0.0.0.0/0', '::/0'].map(
        (entry) =>
          `trustedProxies: with "${entry}" every client can forge its address: name the addresses of the proxies.`,
      ),
    )
  })

  test('of an address with http, which is not what the URIs of videos begin with', async () => {
    const plain = { keys: [key], accounts: [account], publicUrl: 'http://llm.lan:8787' }
    const [warning, ...others] = await warningsOf(plain)
    expect(warning).toMatch(/^publicUrl: is http, but video URIs of operations begin with https/)
    expect(others).toEqual([])
  })

  test('of an admin address that other machines reach without https', async () => {
    const token = { id: 'ops', role: 'admin', secret: `dga_${'x'.repeat(43)}` }
    const admin = { host: '0.0.0.0', tokens: [token] }
    const open = { keys: [key], accounts: [account], admin }
    const [warning, ...others] = await warningsOf(open)
    expect(warning).toMatch(/^admin.host: other machines reach the admin address/)
    expect(others).toEqual([])
    const proxied = { ...open, admin: { ...admin, trustedProxies: ['10.0.0.1'] } }
    expect(await warningsOf(proxied)).toEqual([])
  })

  test('of no accounts at all, once', async () => {
    expect(await warningsOf({ keys: [key], aliases: { a: 'b' } })).toEqual([
      'accounts: no account exists, so no model is available.',
    ])
  })

  test.each([
    ['no key', {}],
    ['keys that are off', { keys: [{ ...key, disabled: true }] }],
    ['keys that have ended', { keys: [{ ...key, expiresAt: '2020-01-31' }] }],
  ])('of %s, and names what issues one', async (_, keys) => {
    const [warning, ...others] = await warningsOf(
      { accounts: [account], ...keys },
      '--store file:x',
    )
    expect(warning).toMatch(
      /^keys: no API key exists, so every call will be rejected: issue .* keys create --store file:x`\.$/,
    )
    expect(others).toEqual([])
  })

  test('of no missing key where the store cannot be asked', async () => {
    const store = 'redis://127.0.0.1:1'
    expect(await warningsOf({ accounts: [account], store })).toEqual([])
  })
})

test('where there is no configuration a first key is issued, so none is missed', async () => {
  await using place = await openPlace()
  const { code, stderr } = await place.call('check')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems.\n' })
})

test('who is known by a plugin needs no key', async () => {
  await using place = await openPlace()
  await place.write(
    'dragoman.config.mjs',
    `export default {
      accounts: [${JSON.stringify(account)}],
      plugins: [{ name: 'sso', onAuthenticate: () => undefined }],
    }`,
  )
  const { code, stderr } = await place.call('check')
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No problems.\n' })
})

test('problems are told alone', async () => {
  await using place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ lisen: {} }))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).not.toContain('Warning')
})

test('check refuses what serve refuses: an address that others reach, without a key', async () => {
  await using place = await openPlace()
  const listen = { host: '0.0.0.0' }
  await place.write('dragoman.config.json', JSON.stringify({ accounts: [account], listen }))
  const { code, stderr } = await place.call('check')
  expect(code).toBe(3)
  expect(stderr).toMatch(/listen\.host\n.*no API key exists\n.*keys create/)
})
