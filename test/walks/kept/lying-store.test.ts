import { expect, test } from 'vitest'

import { openMemoryStore } from '../../../src/stores/memory.ts'
import { type Records, type Store, StoreUnavailable } from '../../../src/stores/store.ts'
import { until } from '../../../src/testing/until.ts'
import { startFleet, waiting } from './fleet.ts'
import { saidIn } from './stage.ts'

/** A store that changes what it is asked to change, and says that it did not, so many times. */
function lying(times: number): Store {
  const store = openMemoryStore()
  let left = times
  return {
    ...store,
    records<T>(...given: Parameters<Store['records']>): Records<T> {
      const records = store.records<T>(...given)
      return {
        ...records,
        async update(id, change) {
          const changed = await records.update(id, change)
          if (left-- > 0) throw new StoreUnavailable('The answer of the store came too late.')
          return changed
        },
      }
    },
  }
}

test('an answer is in a conversation once, whatever the store said of it', async () => {
  await using fleet = await startFleet('chat', { store: lying(2) })
  const { client, gateways } = fleet
  const { id } = await client.conversations.create()
  const inOrder = async () =>
    saidIn((await client.conversations.items.list(id, { order: 'asc' })).data)

  await client.responses.create({ model: 'sandbox/whoami', input: 'hi', conversation: id })
  expect(await inOrder()).toEqual(['user: hi', 'assistant: a'])
  for (const gateway of gateways) await until(async () => (await waiting(gateway)) === 0)

  expect(await inOrder()).toEqual(['user: hi', 'assistant: a'])
})
