import { expect, test } from 'vitest'

import { createRetryQueue } from '../../src/stores/retry-queue.ts'
import { StoreUnavailable, UnreadableRecord } from '../../src/stores/store.ts'

test('a record that is damaged does not hold up the writes behind it', async () => {
  const written: string[] = []
  const lost: string[] = []
  const queue = createRetryQueue<string>({
    async write(name) {
      if (name === 'damaged') throw new UnreadableRecord()
      if (name === 'away') throw new StoreUnavailable('The store is away.')
      written.push(name)
    },
    onLost: (name) => lost.push(name),
  })
  for (const name of ['damaged', 'good', 'away', 'behind']) queue.put(name, name)

  await queue.close()

  expect(written).toEqual(['good'])
  expect(lost).toEqual(['damaged', 'away', 'behind'])
})
