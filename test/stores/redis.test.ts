import { describe, expect, test } from 'vitest'

import { checkConfiguration } from '../../src/configuration/resolve.ts'
import { openStore } from '../../src/stores/open.ts'
import { parseRedisUrl } from '../../src/stores/redis/url.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { storeContract } from './contract.ts'

describe('contract', () => {
  storeContract(async () => {
    const redis = await startRedis()
    const store = await openStore(redis.url, { cwd: '/' })
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close()
        await redis[Symbol.asyncDispose]()
      },
    }
  })
})

test('two stores on one Redis see the same records, and another prefix sees others', async () => {
  await using redis = await startRedis()
  const [one, two, other] = await Promise.all(
    ['', '', '?prefix=other:'].map((query) => openStore(redis.url + query, { cwd: '/' })),
  )
  await one?.records('things').set('a', 1)
  expect(await two?.records('things').get('a')).toBe(1)
  expect(await other?.records('things').get('a')).toBeUndefined()
  await Promise.all([one?.close(), two?.close(), other?.close()])
})

test.each([
  ['redis://127.0.0.1:1/0', { kind: 'single', url: 'redis://127.0.0.1:1/0', prefix: 'dragoman:' }],
  ['rediss://u:p@h?prefix=x:', { kind: 'single', url: 'rediss://u:p@h', prefix: 'x:' }],
  [
    'rediss+sentinel://:p%40@h1,h2:7/main',
    {
      kind: 'sentinel',
      name: 'main',
      nodes: [
        { host: 'h1', port: 26_379 },
        { host: 'h2', port: 7 },
      ],
      access: { password: 'p@', tls: true },
      prefix: 'dragoman:',
    },
  ],
  [
    'redis+cluster://u:p@[::1]:7000,h2',
    {
      kind: 'cluster',
      nodes: [
        { host: '::1', port: 7_000 },
        { host: 'h2', port: 6_379 },
      ],
      access: { username: 'u', password: 'p', tls: false },
      prefix: 'dragoman:',
    },
  ],
  ['redis+sentinel://:100%@h1/main', undefined],
  ['redis+cluster://50%zz:p@h1', undefined],
  ['redis://u:100%@h', undefined],
  ['rediss://%u:p@h/1', undefined],
  ['redis+sentinel://h1', undefined],
  ['redis+cluster://h1/0', undefined],
  ['redis://', undefined],
  ['http://h', undefined],
])('%s is understood', (url, place) => {
  expect(parseRedisUrl(url)).toEqual(place)
})

test.each(['redis://u:hush%@h', 'redis+cluster://:hush%zz@h'])(
  'somebody who writes %s is told how a percent sign is written, and not the password',
  async (store) => {
    const { problems } = checkConfiguration({ store: 'env:STORE' }, { env: { STORE: store } })

    expect(problems).toMatchObject([{ path: 'store', message: expect.stringContaining('%25') }])
    expect(JSON.stringify(problems)).not.toContain('hush')
    const opened = openStore(store, { cwd: '/' })
    await expect(opened).rejects.toThrow(/%25/)
    await expect(opened).rejects.not.toThrow(/hush/)
  },
)
