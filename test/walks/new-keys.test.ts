import { expect, test } from 'vitest'

import { createKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'

test('a key may be used in the moment in which it was made, by another process', async () => {
  const store = openMemoryStore()
  await using gateway = await createTestGateway({ store })
  const { secret } = await createKey(store, { id: 'new' })
  const response = await list(gateway.url, secret)
  expect(response.status).toBe(200)
})

test('from the moment in which keys cannot be read, nobody says that one is wrong', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await createTestGateway({ store })
  expect((await list(gateway.url, 'unknown')).status).toBe(401)
  store.broken.reads = true

  const response = await list(gateway.url, 'unknown')
  expect(response.status).toBe(503)
  expect(response.headers.get('x-should-retry')).toBe('true')
  expect((await list(gateway.url, gateway.key)).status).toBe(200)
})

function list(url: string, key: string): Promise<Response> {
  return fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
}
