import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import {
  KeyConflict,
  createKey,
  getKey,
  listKeys,
  revokeKey,
  rotateKey,
} from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'

test('a key is issued with a secret that is not stored', async () => {
  const store = openMemoryStore()
  const { key, secret } = await createKey(store, { id: 'team', models: ['gpt-*'], expiresAt: 5e12 })
  expect(secret).toMatch(/^dgm_[\w-]{43}$/)
  expect(key).toMatchObject({ id: 'team', models: ['gpt-*'], expiresAt: 5e12, disabled: false })
  expect(key.hash).toBe(`sha256:${createHash('sha256').update(secret).digest('hex')}`)
  expect(await listKeys(store)).toEqual([key])
  expect(JSON.stringify(await listKeys(store))).not.toContain(secret)
})

test('an id is given once, even to a crowd', async () => {
  const store = openMemoryStore()
  const attempts = Array.from({ length: 10 }, () => createKey(store, { id: 'team' }))
  const results = await Promise.allSettled(attempts)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(createKey(store, { id: 'team' })).rejects.toThrow(
    'The key "team" already exists: choose another id',
  )
})

test('rotation changes the secret and nothing else that matters', async () => {
  const store = openMemoryStore()
  const before = await createKey(store, { id: 'team', models: ['a'] })
  const after = await rotateKey(store, 'team')
  expect(after.secret).not.toBe(before.secret)
  expect(after.key).toMatchObject({ id: 'team', models: ['a'], createdAt: before.key.createdAt })
  expect(after.key.hash).not.toBe(before.key.hash)
  expect(after.key.rotatedAt).toBeGreaterThanOrEqual(before.key.createdAt)
  expect(await getKey(store, 'team')).toEqual(after.key)
})

test('a revoked key stays known, off, and cannot come back', async () => {
  const store = openMemoryStore()
  await createKey(store, { id: 'team' })
  await revokeKey(store, 'team')
  expect(await listKeys(store)).toMatchObject([{ id: 'team', disabled: true }])
  await expect(rotateKey(store, 'team')).rejects.toThrow('The key "team" is revoked.')
  await expect(createKey(store, { id: 'team' })).rejects.toThrow(KeyConflict)
  await expect(revokeKey(store, 'other')).rejects.toThrow('The key "other" does not exist.')
})

test('a long list is listed whole', async () => {
  const store = openMemoryStore()
  for (let index = 0; index < 1005; index += 1) {
    await createKey(store, { id: `key-${index}` })
  }
  expect(new Set((await listKeys(store)).map(({ id }) => id)).size).toBe(1005)
})

test('a key that is revoked while it is rotated stays revoked', async () => {
  for (let round = 0; round < 20; round++) {
    const store = openMemoryStore()
    await createKey(store, { id: 'a' })
    const [rotated] = await Promise.allSettled([rotateKey(store, 'a'), revokeKey(store, 'a')])
    expect((await getKey(store, 'a'))?.disabled).toBe(true)
    if (rotated.status === 'rejected') expect(rotated.reason).toBeInstanceOf(KeyConflict)
  }
})
