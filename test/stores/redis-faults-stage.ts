import { expect } from 'vitest'

import { type Records, type Store, StoreUnavailable } from '../../src/stores/store.ts'

/** Every call that a client's request may lead to. */
export const calls: [name: string, call: (store: Store) => Promise<unknown>][] = [
  ['get', (store) => things(store).get('a')],
  ['getMany', (store) => things(store).getMany(['a', 'b'])],
  ['set', (store) => things(store).set('a', 2)],
  ['setMany', (store) => things(store).setMany([{ id: 'a', value: 2 }])],
  ['add', (store) => things(store).add('new', 2)],
  ['update', (store) => things(store).update('a', () => 2)],
  ['delete', (store) => things(store).delete('a')],
  ['list', (store) => things(store).list()],
  ['version', (store) => things(store).version()],
  ['counters', (store) => store.counters('n').add('a', 1)],
]

/** What a call may take beyond its own deadline before a test calls it stuck, in milliseconds. */
export const patience = 2_000

export function things(store: Store): Records<number> {
  return store.records<number>('things', { listed: true })
}

export async function expectAllToFail(store: Store): Promise<void> {
  const failures = calls.map(async ([name, call]) => {
    const error: unknown = await Promise.race([
      call(store).then(
        (value) => `${name} answered ${String(value)}`,
        (thrown: unknown) => thrown,
      ),
      new Promise((resolve) => setTimeout(resolve, patience, `${name} is stuck`).unref()),
    ])
    expect(error, name).toBeInstanceOf(StoreUnavailable)
  })
  await Promise.all(failures)
}

export async function answers(store: Store): Promise<boolean> {
  return await things(store)
    .set('probe', 1)
    .then(
      () => true,
      () => false,
    )
}
