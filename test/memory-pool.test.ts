import { expect, test } from 'vitest'

import { MemoryPool } from '../src/exchange/memory-pool.ts'

const full = { code: 'memory_full', status: 503, headers: { 'retry-after': '5' } }

test('one key uses at most half while it uses more than one request', async () => {
  const pool = new MemoryPool(100, 1)
  const [first, second, other] = ['greedy', 'greedy', 'other'].map((key) => pool.lease(key))
  expect(first!.hold('tree', 40)).toBeUndefined()
  await expect(second!.hold('tree', 20)).rejects.toMatchObject(full)
  expect(second!.hold('tree', 10)).toBeUndefined()
  expect(other!.hold('tree', 50)).toBeUndefined()
  expect(pool.bytes).toBe(100)
})

test('all keys together use no more than there is', async () => {
  const pool = new MemoryPool(100, 1)
  const leases = ['a', 'b', 'c'].map((key) => pool.lease(key))
  expect(leases[0]!.hold('tree', 45)).toBeUndefined()
  expect(leases[1]!.hold('tree', 45)).toBeUndefined()
  await expect(leases[2]!.hold('tree', 20)).rejects.toMatchObject(full)
  expect(leases[2]!.hold('tree', 10)).toBeUndefined()
})

test('bodies that arrive leave half to those that are complete, and half of it to other keys', async () => {
  const pool = new MemoryPool(100, 1)
  const [one, two, three, four] = ['a', 'a', 'b', 'c'].map((key) => pool.lease(key))
  expect(one!.hold('body', 20)).toBeUndefined()
  await expect(two!.hold('body', 10)).rejects.toMatchObject(full)
  expect(three!.hold('body', 25)).toBeUndefined()
  await expect(four!.hold('body', 10)).rejects.toMatchObject(full)
  expect(one!.hold('tree', 30)).toBeUndefined()
})

test('one that waits goes on as soon as there is room, those behind it too', async () => {
  const pool = new MemoryPool(100, 60_000)
  const [holder, first, second] = ['a', 'b', 'c'].map((key) => pool.lease(key))
  expect(holder!.hold('tree', 100)).toBeUndefined()
  const waiting = [first!.hold('tree', 60), second!.hold('tree', 40)]
  expect(holder!.hold('tree', 0)).toBeUndefined()
  for (const one of waiting) await one
  expect(pool.bytes).toBe(100)
})

test('a lease that ends returns all that it holds, once, and waits for nothing', async () => {
  const pool = new MemoryPool(100, 60_000)
  const [holder, other] = ['a', 'b'].map((key) => pool.lease(key))
  for (const use of ['body', 'decoded', 'tree', 'uploads', 'reply'] as const) {
    expect(holder!.hold(use, 20)).toBeUndefined()
  }
  const waiting = other!.hold('tree', 50)
  other![Symbol.dispose]()
  await expect(waiting).rejects.toMatchObject(full)
  holder![Symbol.dispose]()
  holder![Symbol.dispose]()
  expect(pool.bytes).toBe(0)
  expect(holder!.hold('tree', 10)).toBeUndefined()
  expect(pool.bytes).toBe(0)
})

test('no more than a hundred requests of one key wait', async () => {
  const pool = new MemoryPool(100, 60_000)
  expect(pool.lease('a').hold('tree', 100)).toBeUndefined()
  const waiting = Array.from({ length: 100 }, () => pool.lease('b')).map((lease) => {
    const held = lease.hold('tree', 90)
    held?.catch(() => {})
    return lease
  })
  await expect(pool.lease('b').hold('tree', 90)).rejects.toMatchObject(full)
  for (const lease of waiting) lease[Symbol.dispose]()
})
