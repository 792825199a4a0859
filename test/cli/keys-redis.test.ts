import { expect, test } from 'vitest'

import { startRedis } from '../../src/testing/redis.ts'
import { openPlace } from './dragoman.ts'

test('keys in a Redis are listed, and the check knows them', async () => {
  await using redis = await startRedis()
  await using place = await openPlace()
  const account = { id: 'a', provider: 'openai', apiKey: 'hush', models: ['*'] }
  await place.write(
    'dragoman.config.json',
    JSON.stringify({ store: redis.url, accounts: [account] }),
  )
  expect((await place.call('keys create team-a')).code).toBe(0)

  expect((await place.call('keys list')).stdout).toMatch(/^team-a +active .* store *$/m)
  expect((await place.call('check')).stdout).toContain('team-a')

  await redis.kill()
  const check = await place.call('check')
  expect(check.code).toBe(0)
  expect(check.stderr).toContain('Only the keys of the configuration are listed')
  const list = await place.call('keys list')
  expect(list.code).not.toBe(0)
  expect(list.stderr).not.toContain('No API keys exist')
})
