import { expect, test } from 'vitest'

import { MemoryPool } from '../src/exchange/memory-pool.ts'

const MiB = 1024 * 1024

const poolOf = (mebibytes: number, waitMs: number, callsPerKey = 1_000) =>
  new MemoryPool({ memoryBytes: mebibytes * MiB, callsPerKey }, waitMs)

const full = { code: 'memory_full', status: 503, headers: { 'retry-after': '5' } }

test('one key uses at most half while it uses more than one request', async () => {
  const pool = poolOf(100, 1)
  const [first, second, other] = ['greedy', 'greedy', 'other'].map((key) => pool.lease(key))
  expect(first!.hold('tree', 40 * MiB)).toBeUndefined()
  await expect(second!.hold('tree', 20 * MiB)).rejects.toMatchObject(full)
  expect(second!.hold('tree', 10 * MiB)).toBeUndefined()
  expect(other!.hold('tree', 50 * MiB)).toBeUndefined()
  expect(pool.bytes).toBe(100 * MiB)
})

test('all keys together use no more than there is', async () => {
  const pool = poolOf(100, 1)
  const leases = ['a', 'b', 'c'].map((key) => pool.lease(key))
  expect(leases[0]!.hold('tree', 45 * MiB)).toBeUndefined()
  expect(leases[1]!.hold('tree', 45 * MiB)).toBeUndefined()
  await expect(leases[2]!.hold('tree', 20 * MiB)).rejects.toMatchObject(full)
  expect(leases[2]!.hold('tree', 10 * MiB)).toBeUndefined()
})

test('bodies that arrive leave half to those that are complete, and half of it to other keys', async () => {
  const pool = poolOf(100, 1)
  const [one, two, three, four] = ['a', 'a', 'b', 'c'].map((key) => pool.lease(key))
  expect(one!.hold('body', 20 * MiB)).toBeUndefined()
  await expect(two!.hold('body', 10 * MiB)).rejects.toMatchObject(full)
  expect(three!.hold('body', 25 * MiB)).toBeUndefined()
  await expect(four!.hold('body', 10 * MiB)).rejects.toMatchObject(full)
  expect(one!.hold('tree', 30 * MiB)).toBeUndefined()
})

test('one that waits goes on as soon as there is room, those behind it too', async () => {
  const pool = poolOf(100, 60_000)
  const [holder, first, second] = ['a', 'b', 'c'].map((key) => pool.lease(key))
  expect(holder!.hold('tree', 100 * MiB)).toBeUndefined()
  const waiting = [first!.hold('tree', 60 * MiB), second!.hold('tree', 40 * MiB)]
  expect(holder!.hold('tree', 0)).toBeUndefined()
  for (const one of waiting) await one
  expect(pool.bytes).toBe(100 * MiB)
})

test('a lease that ends returns all that it holds, once, and waits for nothing', async () => {
  const pool = poolOf(100, 60_000)
  const [holder, other] = ['a', 'b'].map((key) => pool.lease(key))
  for (const use of ['body', 'decoded', 'tree', 'uploads', 'reply'] as const) {
    expect(holder!.hold(use, 20 * MiB)).toBeUndefined()
  }
  const waiting = other!.hold('tree', 50 * MiB)
  other![Symbol.dispose]()
  await expect(waiting).rejects.toMatchObject(full)
  holder![Symbol.dispose]()
  holder![Symbol.dispose]()
  expect(pool.bytes).toBe(0)
  expect(holder!.hold('tree', 10 * MiB)).toBeUndefined()
  expect(pool.bytes).toBe(0)
})

test('an exchange that needs its memory no more does not wait for it, nor get it later', async () => {
  const pool = poolOf(8, 60_000)
  const [holder, stream] = ['a', 'b'].map((key) => pool.lease(key))
  expect(holder!.hold('tree', 8 * MiB)).toBeUndefined()
  const waiting = stream!.hold('unsent', MiB)
  const other = stream!.hold('reply', MiB)
  expect(stream!.hold('unsent', 0)).toBeUndefined()
  await waiting
  holder![Symbol.dispose]()
  await other
  expect(pool.bytes).toBe(MiB)
})

test('no more than a hundred requests of one key wait', async () => {
  const pool = poolOf(100, 60_000)
  expect(pool.lease('a').hold('tree', 100 * MiB)).toBeUndefined()
  const waiting = Array.from({ length: 100 }, () => pool.lease('b')).map((lease) => {
    const held = lease.hold('tree', 90 * MiB)
    held?.catch(() => {})
    return lease
  })
  await expect(pool.lease('b').hold('tree', 90 * MiB)).rejects.toMatchObject(full)
  for (const lease of waiting) lease[Symbol.dispose]()
})

test('small exchanges are free until the part of their key is full, and the memory bounds the rest', async () => {
  const pool = poolOf(8, 1)
  const hold = (key: string) => pool.lease(key).hold('body', MiB / 4)
  // A key has one MiB for free, all have two.
  for (let at = 0; at < 4; at++) expect(hold('greedy')).toBeUndefined()
  expect(pool.bytes).toBe(0)
  // Half of the memory of bodies.
  for (let at = 0; at < 8; at++) expect(hold('greedy')).toBeUndefined()
  expect(pool.bytes).toBe(2 * MiB)
  await expect(hold('greedy')).rejects.toMatchObject(full)
  expect(hold('other')).toBeUndefined()
  expect(pool.bytes).toBe(2 * MiB)
})

test('a small exchange finds room where large ones have filled the memory', () => {
  const pool = poolOf(8, 1)
  for (const key of ['a', 'b']) expect(pool.lease(key).hold('tree', 4 * MiB)).toBeUndefined()
  expect(pool.lease('a').hold('tree', MiB / 8)).toBeUndefined()
  expect(pool.bytes).toBe(8 * MiB)
})

test('an exchange that grows counts with all that it holds, and returns it', () => {
  const pool = poolOf(8, 1)
  const lease = pool.lease('a')
  expect(lease.hold('body', MiB / 8)).toBeUndefined()
  expect(pool.bytes).toBe(0)
  expect(lease.hold('tree', MiB)).toBeUndefined()
  expect(pool.bytes).toBe(1.125 * MiB)
  lease[Symbol.dispose]()
  expect(pool.bytes).toBe(0)
  for (let at = 0; at < 4; at++) {
    expect(pool.lease('a').hold('body', MiB / 4)).toBeUndefined()
  }
  expect(pool.bytes).toBe(0)
})

test('a key has no more calls than its share, and the process no more than it has memory for', () => {
  const pool = poolOf(8, 1, 600)
  const leases = Array.from({ length: 600 }, () => pool.lease('greedy'))
  const tooMany = { code: 'rate_limited', status: 429, headers: { 'retry-after': '1' } }
  expect(() => pool.lease('greedy')).toThrow(expect.objectContaining(tooMany))
  for (let at = 0; at < 600; at++) pool.lease('other')
  expect(() => pool.lease('third')).toThrow(expect.objectContaining(full))
  leases[0]![Symbol.dispose]()
  expect(() => pool.lease('greedy')).not.toThrow()
})

test('with little memory, one key leaves as many calls to the others as it may have', () => {
  const pool = poolOf(1, 1)
  for (let at = 0; at < 1_000; at++) pool.lease('greedy')
  for (let at = 0; at < 1_000; at++) expect(() => pool.lease('other')).not.toThrow()
})
