import { expect, test } from 'vitest'

import { memoryOf } from '../../src/stores/envelopes.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'

const text = 'ü"\n\u0001😀'.repeat(60_000)
const value = { text, list: Array.from({ length: 20_000 }, (_, at) => ({ at })), none: undefined }

test('a large record is read as it was written, and so is what an update makes of it', async () => {
  const records = openMemoryStore().records<object>('things', { isPlain: true })

  await records.set('a', value, { ttlMs: 60_000 })
  await records.add('b', value)
  await records.update('b', (known) => ({ ...known, more: 1 }))

  const { none, ...written } = value
  expect(none).toBeUndefined()
  expect(await records.get('a')).toEqual(written)
  expect(await records.getMany(['b', 'c'])).toEqual([{ ...written, more: 1 }, undefined])
})

test('who reads a large record has memory for it before it is parsed', async () => {
  const records = openMemoryStore().records<object>('things', { isPlain: true })
  await records.set('a', value)
  const admitted: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  let isRead = false
  const admit = (bytes: number) => {
    admitted.push(bytes)
    return promise
  }

  const read = records.get('a', { admit }).then(() => (isRead = true))
  await expect.poll(() => admitted).toHaveLength(1)

  expect(isRead).toBe(false)
  // The text, what is read of it, with 40,000 values, and what is written again.
  expect(admitted[0]).toBeGreaterThan(3 * JSON.stringify(value).length + 40_000 * 100)
  resolve()
  await read
})

test('others are served between the records of one read', async () => {
  const records = openMemoryStore().records<string>('things')
  const ids = Array.from({ length: 50 }, (_, index) => `id-${index}`)
  await records.setMany(ids.map((id) => ({ id, value: 'x'.repeat(60_000) })))
  for (const options of [{}, { admit: () => undefined }]) {
    let turns = 0
    const count = () => {
      turns++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    expect(await records.getMany(ids, options)).toHaveLength(50)
    clearImmediate(counting)
    expect(turns).toBeGreaterThan(20)
  }
})

test('without memory no further records are read', async () => {
  const records = openMemoryStore().records<string>('things')
  const ids = Array.from({ length: 500 }, (_, index) => `id-${index}`)
  await records.setMany(ids.map((id) => ({ id, value: 'x'.repeat(10_000) })))
  let admitted = 0
  const admit = (bytes: number) => {
    admitted += bytes
    if (admitted > 1_000_000) throw new RangeError('no memory')
    return undefined
  }

  await expect(records.getMany(ids, { admit })).rejects.toThrow('no memory')

  expect(admitted).toBeLessThan(1_100_000)
})

test('a record with many escapes is not taken for a smaller one', () => {
  const after = ',""'.repeat(240_000)
  const of = (escapes: number) => memoryOf(`["${'\\n'.repeat(escapes)}"${after}]`)
  expect(of(2_100_000)).toBeGreaterThan(of(1_900_000) / 2)
  expect(of(2_100_000)).toBeGreaterThan(16 * 1024 * 1024)
})
