import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { until } from '../../src/testing/until.ts'
import { things, expectAllToFail, answers } from './redis-faults-stage.ts'

test('a Redis that is not there yet when the gateway starts', async () => {
  await using redis = await startRedis()
  await redis.kill()
  const errors: unknown[] = []
  const store = await openStore(redis.url, { cwd: '/', onError: (error) => errors.push(error) })
  await expectAllToFail(store)
  expect(errors.length).toBeGreaterThan(0)
  await redis.restart()
  await until(() => answers(store))
  await store.close()
})

test('a password is in no error', async () => {
  await using redis = await startRedis('--requirepass', 'right-word')
  const errors: unknown[] = []
  const url = redis.url.replace('//', '//:wrong-word@')
  const store = await openStore(url, { cwd: '/', onError: (error) => errors.push(error) })
  const thrown: unknown = await things(store)
    .get('a')
    .catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(StoreUnavailable)
  await until(() => errors.length > 0)
  const told = [thrown, ...errors].map(
    (error) => `${String(error)} ${String((error as Error).stack)}`,
  )
  expect(told.join('\n')).not.toMatch(/(right|wrong)-word/)
  await store.close()
})
