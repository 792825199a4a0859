import { expect, test, vi } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'

vi.setConfig({ testTimeout: 90_000 })

const account = { id: 'a', provider: 'sandbox', baseUrl: 'http://127.0.0.1:9', models: ['*'] }

test('commands on a store that is away name its host and the next step, and no password', async () => {
  await using place = await openPlace()
  const store = 'redis://user:password-canary@127.0.0.1:9/0'
  await place.write('dragoman.config.json', JSON.stringify({ store, accounts: [account] }))
  const commands = [
    'accounts list',
    'keys list',
    'keys create team',
    'admin-tokens list',
    'bindings list',
    'jobs list',
    'explain --key a --model m',
  ]
  for (const words of commands) {
    const { code, stdout, stderr } = await place.call(words)
    expect([words, code, stdout]).toEqual([words, 1, ''])
    expect(stderr, words).toContain('redis://127.0.0.1:9')
    expect(stderr, words).toContain('doctor` looks for the cause.')
    expect(stderr, words).not.toContain('canary')
  }
})

test('a gateway whose store is away is asked for it: the host comes first, and no process is accused', async () => {
  await using redis = await startRedis()
  await using place = await openPlace()
  const secret = 's'.repeat(40)
  const config = { store: redis.url, accounts: [account], keys: [{ id: 'k', secret: 'api-key' }] }
  const tokens = [{ id: 'ops', role: 'viewer', secret }]
  await place.write('dragoman.config.json', JSON.stringify({ ...config, admin: { tokens } }))
  const { operators } = await addressesOf(place.start(anyPorts))
  const env = { DRAGOMAN_ADMIN_URL: operators, DRAGOMAN_ADMIN_TOKEN: secret }
  expect(await place.call('accounts list', env)).toMatchObject({ code: 0, stderr: '' })

  redis.pause()
  await until(async () => (await place.call('accounts list', env)).stderr !== '')
  const { code, stdout, stderr } = await place.call('accounts list', env)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^a +sandbox +enabled/m)
  expect(stderr).toMatch(
    /^The store of the gateway, redis:\/\/127\.0\.0\.1:\d+, does not answer: `.*doctor` beside the gateway looks for the cause\.\n/,
  )
  expect(stderr).not.toContain('unknown')
  expect(stderr).not.toContain('These processes do not answer')
})
