import { expect, test, vi } from 'vitest'

import type { RecordsAdapter, StoredEntry } from '../../src/stores/adapter.ts'
import { keyvRecords } from '../../src/stores/keyv-records.ts'
import type { Records, RecordsOptions } from '../../src/stores/store.ts'

type List = readonly number[]

/** Records on a map, with the calls of their adapter. */
async function openCounted(options?: RecordsOptions) {
  const envelopes = new Map<string, string>()
  const calls = { get: 0, replace: 0 }
  const unused = async () => false
  const adapter = {
    set: async () => {},
    delete: unused,
    clear: async () => {},
    async get(id: string) {
      calls.get++
      return envelopes.get(id)
    },
    async setMany(entries: readonly StoredEntry[]) {
      for (const { id, envelope } of entries) envelopes.set(id, envelope)
    },
    async replace(id: string, expected: string, envelope: string) {
      calls.replace++
      if (envelopes.get(id) !== expected) return false
      envelopes.set(id, envelope)
      return true
    },
  }
  const open = () => keyvRecords<List>('lists', adapter as unknown as RecordsAdapter, options)
  const records = open()
  await records.setMany([{ id: 'a', value: [] }])
  return { records, calls, open }
}

const many = Array.from({ length: 200 }, (_, index) => index)

function addAll(records: Records<List>) {
  return Promise.all(many.map((one) => records.update('a', (list) => [...list, one])))
}

test('updates of a record at the same moment do not defeat each other', async () => {
  const { records, calls } = await openCounted()

  const results = await addAll(records)

  expect(results.at(-1)).toEqual(many)
  expect(calls).toEqual({ get: many.length, replace: many.length })
})

test('updates of a plain record at the same moment are read and written together', async () => {
  const { records, calls } = await openCounted({ isPlain: true })

  const results = await addAll(records)

  expect(results).toEqual(many.map((_, index) => many.slice(0, index + 1)))
  expect(calls.get).toBeLessThanOrEqual(3)
  expect(calls.replace).toBeLessThanOrEqual(3)
})

test('a change that throws among others fails alone', async () => {
  const { records } = await openCounted({ isPlain: true })
  const fail = () => {
    throw new RangeError('too large')
  }

  const results = await Promise.allSettled([
    records.update('a', (list) => [...list, 1]),
    records.update('a', fail),
    records.update('a', () => undefined),
    records.update('a', (list) => [...list, 2]),
  ])

  expect(results).toMatchObject([
    { value: [1] },
    { reason: { message: 'too large' } },
    { value: [1] },
    { value: [1, 2] },
  ])
  expect(await records.get('a')).toEqual([1, 2])
})

test.for([false, true])('other processes change the record too (plain: %o)', async (isPlain) => {
  const { open } = await openCounted({ isPlain })

  await Promise.all([addAll(open()), addAll(open())])

  expect((await open().get('a'))?.toSorted((one, other) => one - other)).toEqual(
    many.flatMap((one) => [one, one]),
  )
})

test('a change that writes into a value and leaves the record tells what stands', async () => {
  const { records } = await openCounted()

  const left = await records.update('a', (list) => {
    ;(list as number[]).push(1)
    return undefined
  })

  expect(left).toEqual([])
})

test('the oldest of too many updates are made, the others fail at once', async () => {
  const { records } = await openCounted()
  const change = vi.fn((list: List) => list)

  const all = await Promise.allSettled(
    Array.from({ length: 1_500 }, () => records.update('a', change)),
  )

  expect(all.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(400)
  expect(all[0]).toMatchObject({ status: 'fulfilled' })
})
