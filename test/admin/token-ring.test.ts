import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createTokenRing } from '../../src/admin/token-ring.ts'
import type { AdminTokenSetting } from '../../src/configuration/settings.ts'
import {
  adminTokenRecords,
  createAdminToken,
  revokeAdminToken,
} from '../../src/stores/admin-tokens.ts'
import { hashSecret } from '../../src/stores/key-secret.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'

const minute = 60_000
const ops: AdminTokenSetting = { id: 'ops', hash: hashSecret('from-the-file'), role: 'operator' }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

async function openRing(store: Store, configured: () => readonly AdminTokenSetting[] = () => []) {
  const unreadable: string[] = []
  const ring = await createTokenRing({
    configured,
    store,
    now: Date.now,
    onError: () => {},
    onUnreadable: (ids) => unreadable.push(...ids),
  })
  return Object.assign(ring, { damaged: unreadable, [Symbol.dispose]: () => ring.close() })
}

async function issue(store: Store, id: string, expiresAt?: number) {
  const issued = await createAdminToken(store, { id, role: 'viewer', createdBy: 'test', expiresAt })
  return issued?.secret ?? ''
}

test('a token of another process is accepted after a second, and rejected when it is revoked', async () => {
  const store = openMemoryStore()
  using ring = await openRing(store)
  const secret = await issue(store, 'late')
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.authenticate(secret)).toEqual({
    id: 'late',
    role: 'viewer',
    expiresAt: expect.any(Number),
  })
  expect(ring.find('late')?.id).toBe('late')
  await revokeAdminToken(store, 'late')
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.authenticate(secret)).toBeUndefined()
  expect(ring.find('late')).toBeUndefined()
})

test('a token ends at its very moment, and after 90 days without one', async () => {
  const store = openMemoryStore()
  const short = await issue(store, 'short', Date.now() + minute)
  const usual = await issue(store, 'usual')
  const configured = [{ ...ops, expiresAt: Date.now() + minute }]
  using ring = await openRing(store, () => configured)
  await vi.advanceTimersByTimeAsync(minute - 1)
  expect(ring.authenticate(short)?.id).toBe('short')
  expect(ring.authenticate('from-the-file')?.id).toBe('ops')
  await vi.advanceTimersByTimeAsync(1)
  expect(ring.authenticate(short)).toBeUndefined()
  expect(ring.authenticate('from-the-file')).toBeUndefined()
  const day = 24 * 60 * minute
  vi.setSystemTime(Date.now() + 89 * day)
  expect(ring.authenticate(usual)?.id).toBe('usual')
  vi.setSystemTime(Date.now() + day)
  expect(ring.authenticate(usual)).toBeUndefined()
})

test('a reload replaces the configured tokens at once; they win over stored ones of their ids', async () => {
  const store = openMemoryStore()
  const stored = await issue(store, 'ops')
  let configured = [ops]
  using ring = await openRing(store, () => configured)
  expect(ring.authenticate('from-the-file')?.role).toBe('operator')
  expect(ring.authenticate(stored)).toBeUndefined()
  configured = [{ ...ops, hash: hashSecret('another'), role: 'admin' }]
  expect(ring.authenticate('from-the-file')).toBeUndefined()
  expect(ring.authenticate('another')?.role).toBe('admin')
  configured = []
  expect(ring.authenticate('another')).toBeUndefined()
  expect(ring.authenticate(stored)?.id).toBe('ops')
})

test('no text but the secret is a token, and none is no token', async () => {
  const store = openMemoryStore()
  const secret = await issue(store, 'stored')
  // The hash of the empty text must admit nobody.
  const empty = { id: 'empty', hash: hashSecret(''), role: 'admin' } as const
  using ring = await openRing(store, () => [ops, empty])
  for (const other of [undefined, '', 'x', secret.slice(1), `${secret}=`, hashSecret(secret)]) {
    expect(ring.authenticate(other)).toBeUndefined()
  }
})

const whole = { id: 'odd', hash: hashSecret('odd'), role: 'admin', createdAt: 1, createdBy: 'x' }
test.each([
  ['another id', { ...whole, id: 'even', expiresAt: 9e12 }],
  ['an unknown role', { ...whole, role: 'root', expiresAt: 9e12 }],
  ['no end', whole],
  ['a text as its end', { ...whole, expiresAt: '9999' }],
  ['a damaged revocation', { ...whole, expiresAt: 9e12, revokedAt: 'yesterday' }],
  ['no hash', { ...whole, hash: undefined, expiresAt: 9e12 }],
  ['no object', 'odd'],
])('a record with %s authenticates nobody, is named, and harms no other', async (_, record) => {
  const store = openMemoryStore()
  await adminTokenRecords(store).set('odd', record as never)
  const secret = await issue(store, 'sound')
  using ring = await openRing(store)
  expect(ring.authenticate('odd')).toBeUndefined()
  expect(ring.damaged).toEqual(['odd'])
  expect(ring.authenticate(secret)?.id).toBe('sound')
  await expect(revokeAdminToken(store, 'odd')).rejects.toThrow('damaged')
})

test('the last use is written once a minute, and a failing store keeps nobody out', async () => {
  const store = breakable(openMemoryStore())
  const secret = await issue(store, 'used')
  using ring = await openRing(store)
  const lastUse = async () => (await adminTokenRecords(store).get('used'))?.lastUsedAt
  const first = Date.now()
  ring.authenticate(secret)
  await vi.advanceTimersByTimeAsync(minute / 2)
  ring.authenticate(secret)
  await vi.advanceTimersByTimeAsync(0)
  expect(await lastUse()).toBe(first)
  await vi.advanceTimersByTimeAsync(minute / 2)
  ring.authenticate(secret)
  await vi.advanceTimersByTimeAsync(0)
  expect(await lastUse()).toBe(first + minute)

  store.broken.reads = true
  await vi.advanceTimersByTimeAsync(2 * minute)
  expect(ring.isStale).toBe(true)
  expect(ring.authenticate(secret)?.id).toBe('used')
})

test('a token that is revoked while its use is written stays revoked', async () => {
  const store = openMemoryStore()
  const secret = await issue(store, 'used')
  using ring = await openRing(store)
  const revoked = revokeAdminToken(store, 'used')
  ring.authenticate(secret)
  await revoked
  await vi.advanceTimersByTimeAsync(1000)
  expect(ring.authenticate(secret)).toBeUndefined()
})
