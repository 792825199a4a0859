import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createKeyRing } from '../../src/stores/key-ring.ts'
import { lastUsesOf, recordKeyUses } from '../../src/stores/key-uses.ts'
import {
  createKey,
  getKey,
  keyRecords,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../src/stores/keys.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'

const graceMs = 3_600_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const ringOf = (store: Store) => createKeyRing({ configured: [], store, onError: () => {} })

test('both secrets are one key during the grace period, and the old one ends by itself in every process', async () => {
  const store = openMemoryStore()
  const before = await createKey(store, { id: 'team' })
  const after = await rotateKey(store, 'team', { graceMs })
  const rings = await Promise.all([ringOf(store), ringOf(store)])
  for (const ring of rings) {
    expect(ring.find(before.secret)).toBe(ring.find(after.secret))
    expect(ring.find(after.secret)?.id).toBe('team')
    expect(ring.size).toBe(1)
  }
  await vi.advanceTimersByTimeAsync(graceMs - 1)
  for (const ring of rings) expect(ring.find(before.secret)?.id).toBe('team')
  await vi.advanceTimersByTimeAsync(1)
  for (const ring of rings) {
    expect(ring.find(before.secret)).toEqual({
      id: 'team',
      disabled: false,
      expiresAt: Date.now(),
    })
    expect(ring.find(after.secret)?.id).toBe('team')
    ring.close()
  }
})

test('a second rotation ends the oldest secret at once, and one without grace both', async () => {
  const store = openMemoryStore()
  const first = await createKey(store, { id: 'team' })
  const second = await rotateKey(store, 'team', { graceMs })
  const third = await rotateKey(store, 'team', { graceMs })
  const ring = await ringOf(store)
  const known = () => [first, second, third].map(({ secret }) => ring.find(secret)?.id)
  expect(known()).toEqual([undefined, 'team', 'team'])
  const fourth = await rotateKey(store, 'team')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(known()).toEqual([undefined, undefined, undefined])
  expect(ring.find(fourth.secret)?.id).toBe('team')
  expect(await getKey(store, 'team')).not.toHaveProperty('previous')
  ring.close()
})

test('a revocation ends both secrets', async () => {
  const store = openMemoryStore()
  const before = await createKey(store, { id: 'team' })
  const after = await rotateKey(store, 'team', { graceMs })
  expect(await revokeKey(store, 'team')).not.toHaveProperty('previous')
  const ring = await ringOf(store)
  expect(ring.find(before.secret)?.disabled ?? true).toBe(true)
  expect(ring.find(after.secret)?.disabled).toBe(true)
  expect(ring.size).toBe(0)
  ring.close()
})

test.each([{ hash: 'x', until: 1 }, { hash: `sha256:${'0'.repeat(64)}` }, null, 'x'])(
  'a key whose former secret is %j is damaged, and no secret of it works',
  async (previous) => {
    const store = openMemoryStore()
    const { key, secret } = await createKey(store, { id: 'team' })
    await keyRecords(store).set('team', { ...key, previous } as never)
    const ring = await ringOf(store)
    expect(ring.unreadable).toBe(1)
    expect(ring.find(secret)).toBeUndefined()
    await expect(rotateKey(store, 'team')).rejects.toThrow('damaged')
    ring.close()
  },
)

test('a change of a key leaves what it does not name, removes what is null, and counts versions', async () => {
  const store = openMemoryStore()
  const { key } = await createKey(store, { id: 'team', models: ['a'], expiresAt: 9e12 })
  expect(key.version).toBe(1)
  const changed = await updateKey(store, 'team', { models: null, explain: true }, 1)
  expect(changed).toMatchObject({ expiresAt: 9e12, explain: true, version: 2, hash: key.hash })
  expect(changed).not.toHaveProperty('models')
  await expect(updateKey(store, 'team', { explain: null }, 1)).rejects.toMatchObject({
    reason: 'changed',
  })
  expect(await getKey(store, 'team')).toEqual(changed)
  await revokeKey(store, 'team')
  await expect(updateKey(store, 'team', {})).rejects.toMatchObject({ reason: 'revoked' })
  await expect(updateKey(store, 'other', {})).rejects.toMatchObject({ reason: 'missing' })
})

test('uses are written once a minute, and wait while the store is away', async () => {
  const store = breakable(openMemoryStore())
  const { secret } = await createKey(store, { id: 'team' })
  const revoked = await createKey(store, { id: 'gone' })
  await revokeKey(store, 'gone')
  const ring = await ringOf(store)
  const uses = recordKeyUses({ keys: ring, store })
  const usedAt = Date.now()
  const write = vi.spyOn(store.broken, 'writes', 'get')
  for (let calls = 0; calls < 100; calls++) ring.find(secret)
  ring.find(revoked.secret)
  expect(write).not.toHaveBeenCalled()
  write.mockRestore()

  store.broken.writes = true
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await lastUsesOf(store, ['team'])).toEqual([undefined])
  store.broken.writes = false
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await lastUsesOf(store, ['team', 'gone', 'other'])).toEqual([usedAt, undefined, undefined])

  await vi.advanceTimersByTimeAsync(30_000)
  ring.find(secret)
  await uses.close()
  expect(await lastUsesOf(store, ['team'])).toEqual([usedAt + 150_000])
  ring.close()
})
