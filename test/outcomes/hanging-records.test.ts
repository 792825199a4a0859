import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'

test('a record that a store never finishes writing does not hold the reply', async () => {
  await using account = await startFakeAccount(
    answerJson({ id: 'video_1', object: 'video', status: 'queued', progress: 0 }),
  )
  const held = Promise.withResolvers<never>()
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        baseUrl: `${account.url}/v1`,
        speaks: ['videos'],
        models: ['*'],
      },
    ],
    store: hanging(openMemoryStore(), 'jobs', held.promise),
  })

  const response = await fetch(`${gateway.url}/v1/videos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', prompt: 'a harbour' }),
  })

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ object: 'video' })
  await until(() => gateway.gateway.inflight() === 0)
  await until(() => gateway.log.some(({ msg }) => msg === 'an exchange failed'))
  expect(gateway.log).toMatchObject([{ error: expect.stringContaining('was not written in time') }])
  // A write that fails after its exchange harms nothing.
  held.reject(new Error('too late'))
})

/** A store that never answers writes of one namespace. */
function hanging(store: Store, namespace: string, never: Promise<never>): Store {
  return {
    ...store,
    records: <T>(name: string, options?: object) => {
      const records = store.records<T>(name, options)
      return name === namespace ? { ...records, set: () => never } : records
    },
  }
}
