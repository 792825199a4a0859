import { expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'

/** An account whose response of the background is complete when it is first looked at. */
async function startService() {
  const store = breakable(openMemoryStore())
  const upstream = await startFakeAccount((response, { method }) => {
    const status = method === 'GET' ? 'completed' : 'queued'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'resp_1', object: 'response', status, output: [] }))
  })
  const gateway = await createTestGateway({
    store,
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${upstream.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  const send = async (method: string, path: string, fields?: object) => {
    const reply = await fetch(`${gateway.url}/v1/responses${path}`, {
      method,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      ...(fields && { body: JSON.stringify({ model: 'm', input: 'hi', ...fields }) }),
    })
    await reply.body?.cancel()
    return reply.status
  }
  return {
    store,
    create: (fields: object) => send('POST', '', fields),
    look: () => send('GET', '/resp_1'),
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await upstream[Symbol.asyncDispose]()
    },
  }
}

const next = { previous_response_id: 'resp_1' }

test('a response of the background can be continued once it was seen completed', async () => {
  await using service = await startService()
  expect(await service.create({ background: true })).toBe(200)
  expect(await service.create(next)).toBe(400)
  expect(await service.look()).toBe(200)
  expect(await service.create(next)).toBe(200)
})

test('also where the store took nothing when it was seen completed', async () => {
  await using service = await startService()
  expect(await service.create({ background: true })).toBe(200)
  service.store.broken.writes = true
  expect(await service.look()).toBe(200)
  expect(await service.create(next)).toBe(200)
})

test('and where the store had not even taken whose it is', async () => {
  await using service = await startService()
  service.store.broken.writes = true
  expect(await service.create({ background: true })).toBe(200)
  expect(await service.look()).toBe(200)
  expect(await service.create(next)).toBe(200)
})
