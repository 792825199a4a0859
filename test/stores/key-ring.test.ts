import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createKeyRing } from '../../src/stores/key-ring.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'
import { createKey, revokeKey, rotateKey } from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'

const configuredKey = { id: 'configured', hash: hashSecret('from-the-file'), disabled: false }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('configured and stored keys are found by their secrets, and nothing else is', async () => {
  const store = openMemoryStore()
  const { secret } = await createKey(store, { id: 'stored', models: ['gpt-*'] })
  const ring = await createKeyRing({ configured: [configuredKey], store, onError: () => {} })
  expect(ring.size).toBe(2)
  expect(ring.find('from-the-file')).toEqual({ id: 'configured', disabled: false })
  expect(ring.find(secret)).toEqual({ id: 'stored', models: ['gpt-*'], disabled: false })
  expect(ring.find(secret)).toBe(ring.find(secret))
  for (const other of ['', 'x', `${secret} `, hashSecret(secret), '__proto__']) {
    expect(ring.find(other)).toBeUndefined()
  }
  ring.close()
})

test('disabled and expired keys are found as such', async () => {
  const store = openMemoryStore()
  const expiresAt = Date.now() - 1
  const configured = [
    { ...configuredKey, disabled: true },
    { id: 'passing', hash: hashSecret('until-noon'), disabled: false, expiresAt },
  ]
  const ring = await createKeyRing({ configured, store, onError: () => {} })
  expect(ring.find('from-the-file')?.disabled).toBe(true)
  expect(ring.find('until-noon')).toEqual({ id: 'passing', expiresAt, disabled: false })
  ring.close()
})

test('a configured key wins over a stored one of the same id', async () => {
  const store = openMemoryStore()
  const { secret } = await createKey(store, { id: 'configured' })
  const ring = await createKeyRing({ configured: [configuredKey], store, onError: () => {} })
  expect(ring.find(secret)).toBeUndefined()
  expect(ring.size).toBe(1)
  ring.close()
})

test('new, rotated and revoked keys are known after a second', async () => {
  const store = openMemoryStore()
  const ring = await createKeyRing({ configured: [], store, onError: () => {} })
  const created = await createKey(store, { id: 'late' })
  expect(ring.find(created.secret)).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.find(created.secret)?.disabled).toBe(false)

  const rotated = await rotateKey(store, 'late')
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.find(created.secret)).toBeUndefined()
  expect(ring.find(rotated.secret)?.disabled).toBe(false)

  await revokeKey(store, 'late')
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.find(rotated.secret)?.disabled).toBe(true)
  ring.close()
})

test('a store that fails leaves the last known keys in use, and is reported once for keys and once for their states', async () => {
  const store = breakable(openMemoryStore())
  const { secret } = await createKey(store, { id: 'stored' })
  const errors: unknown[] = []
  const ring = await createKeyRing({ configured: [], store, onError: (e) => errors.push(e) })
  expect(ring.isStale).toBe(false)
  store.broken.reads = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(ring.find(secret)?.disabled).toBe(false)
  expect(errors).toHaveLength(2)

  expect(ring.isStale).toBe(true)
  store.broken.reads = false
  const late = await createKey(store, { id: 'late' })
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.find(late.secret)?.disabled).toBe(false)
  expect(errors).toHaveLength(2)
  ring.close()
})

test('a store that fails at first leaves the configured keys, and says that there may be more', async () => {
  const store = breakable(openMemoryStore())
  const { secret } = await createKey(store, { id: 'stored' })
  store.broken.reads = true
  const ring = await createKeyRing({ configured: [configuredKey], store, onError: () => {} })
  expect(ring.isStale).toBe(true)
  expect(ring.size).toBe(1)
  expect(ring.find(secret)).toBeUndefined()
  store.broken.reads = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.isStale).toBe(false)
  expect(ring.find(secret)?.id).toBe('stored')
  ring.close()
})
