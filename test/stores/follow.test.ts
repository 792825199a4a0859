import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { followRecords } from '../../src/stores/follow.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { type Records, StoreUnavailable } from '../../src/stores/store.ts'

beforeEach(() => {
  vi.useFakeTimers({ toNotFake: ['setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const listed = () => openMemoryStore().records<string>('words', { listed: true })

/** Follows, and collects what is told. */
async function follow(records: Pick<Records<string>, 'list' | 'version'>) {
  const seen: string[] = []
  const errors: unknown[] = []
  const follower = await followRecords<string>({
    records,
    onRecords: (all) => void seen.push(all.map(({ value }) => value).join(' ')),
    onError: (error) => errors.push(error),
  })
  return { follower, seen, errors }
}

test('more records than a page has are all read', async () => {
  const records = listed()
  const entries = Array.from({ length: 2_345 }, (_, number) => ({ id: `${number}`, value: 'x' }))
  await records.setMany(entries)
  const { follower, seen } = await follow(records)
  expect(seen.map((all) => all.split(' ').length)).toEqual([2_345])
  follower.close()
})

test('records that nobody writes are read once', async () => {
  const records = listed()
  await records.set('a', 'one')
  const list = vi.spyOn(records, 'list')
  const { follower, seen } = await follow(records)
  const before = list.mock.calls.length
  await vi.advanceTimersByTimeAsync(5_000)
  expect(list).toHaveBeenCalledTimes(before)
  expect(seen).toEqual(['one'])
  follower.close()
})

test('a list that fails after the version was read is tried again', async () => {
  const records = listed()
  const { follower, seen, errors } = await follow(records)
  await records.set('a', 'one')
  vi.spyOn(records, 'list').mockRejectedValueOnce(new StoreUnavailable('Just now.'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect([seen, errors.length, follower.isStale]).toEqual([[''], 1, true])
  await vi.advanceTimersByTimeAsync(1_000)
  expect([seen, follower.isStale]).toEqual([['', 'one'], false])
  follower.close()
})

test('a store that comes back empty, and counts from the beginning, is read anew', async () => {
  const before = listed()
  const after = listed()
  await before.set('a', 'lost')
  await after.set('b', 'kept')
  expect(await after.version()).toBe(await before.version())
  let answer: () => Pick<Records<string>, 'list' | 'version'> = () => before
  const { follower, seen } = await follow({
    list: (options) => answer().list(options),
    version: async () => answer().version(),
  })
  answer = () => {
    throw new StoreUnavailable('It restarts.')
  }
  await vi.advanceTimersByTimeAsync(1_000)
  answer = () => after
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toEqual(['lost', 'kept'])
  follower.close()
})

test('a slow store is not asked again before it has answered', async () => {
  const records = listed()
  const answers: Array<(version: string) => void> = []
  const { follower } = await follow(records)
  const version = vi
    .spyOn(records, 'version')
    .mockImplementation(() => new Promise((resolve) => void answers.push(resolve)))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(version).toHaveBeenCalledTimes(1)
  answers[0]?.('1')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(version).toHaveBeenCalledTimes(2)
  follower.close()
})

test('after it is closed nothing is asked and nothing told', async () => {
  const records = listed()
  const { follower, seen, errors } = await follow(records)
  const failed = Promise.withResolvers<string>()
  const version = vi.spyOn(records, 'version').mockReturnValue(failed.promise)
  await vi.advanceTimersByTimeAsync(1_000)
  follower.close()
  failed.reject(new StoreUnavailable('The store has been closed.'))
  await vi.advanceTimersByTimeAsync(3_000)
  expect(version).toHaveBeenCalledTimes(1)
  expect([seen, errors]).toEqual([[''], []])
})
