import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { storeContract } from './contract.ts'

storeContract(async () => {
  const store = openMemoryStore()
  return { store, [Symbol.asyncDispose]: () => store.close() }
})

test('a write has the followers of other records read nothing', async () => {
  await using store = Object.assign(openMemoryStore(), {
    [Symbol.asyncDispose]: async () => {},
  })
  const [words, others] = ['words', 'others'].map((name) =>
    store.records<string>(name, { listed: true }),
  )
  const before = await words!.version()
  await others!.set('a', 'one')
  expect(await words!.version()).toBe(before)
  await words!.set('a', 'one')
  expect(await words!.version()).not.toBe(before)
})

test('lists stay in the order of bytes while records come and go', async () => {
  // Few of them, so that most deletions find a record. The last two have another order in UTF-16.
  const unit = fc.constantFrom('a', 'b', '\uffff', '\u{1f600}')
  const id = fc.string({ unit, minLength: 1, maxLength: 2 })
  const changes = fc.array(fc.record({ id, isDeleted: fc.boolean(), isRead: fc.boolean() }))
  await fc.assert(
    fc.asyncProperty(changes, id, async (all, after) => {
      const records = openMemoryStore().records<number>('words', { listed: true })
      const known = new Set<string>()
      for (const change of all) {
        if (change.isDeleted) await records.delete(change.id)
        else await records.set(change.id, 1)
        if (change.isDeleted) known.delete(change.id)
        else known.add(change.id)
        if (change.isRead) await records.list()
      }
      const bytes = (text: string) => Buffer.from(text)
      const sorted = [...known].toSorted((one, other) => bytes(one).compare(bytes(other)))
      const idsOf = async (page: object) => (await records.list(page)).map((one) => one.id)
      const isBehind = (one: string) => bytes(one).compare(bytes(after))
      expect(await idsOf({ after })).toEqual(sorted.filter((one) => isBehind(one) > 0))
      expect(await idsOf({ after, newestFirst: true })).toEqual(
        sorted.filter((one) => isBehind(one) < 0).toReversed(),
      )
      expect(await idsOf({ newestFirst: true })).toEqual(sorted.toReversed())
    }),
    { numRuns: 60 },
  )
})
