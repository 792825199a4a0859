import { expect, test } from 'vitest'

import { setEnabled } from '../../../src/stores/operator-states.ts'
import { until } from '../../../src/testing/until.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { startReplicas } from './replicas.ts'
import { soon, hold, madeBy, accountsAsked, continued } from './switched.ts'

test('an account that is switched off is left by both replicas, and comes back to both', async () => {
  await using redis = await startRedis()
  await using replicas = await startReplicas({ store: redis.url })
  await using store = await hold(redis.url)
  const id = await madeBy('a', replicas.clients[0])
  const outcomes = () => Promise.all(replicas.clients.map((client) => continued(client, id)))
  expect(await outcomes()).toEqual(['completed', 'completed'])

  await setEnabled(store, 'account', 'a', false)
  await until(async () => (await outcomes()).every((outcome) => outcome !== 'completed'), soon)
  const refused = '503 previous_response_account_unavailable, retry: false'
  expect(await outcomes()).toEqual([refused, refused])
  for (const client of replicas.clients) expect(await accountsAsked(client)).toEqual(['b'])

  await setEnabled(store, 'account', 'a', true)
  await until(async () => (await outcomes()).every((outcome) => outcome === 'completed'), soon)
})
