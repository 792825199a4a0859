import { randomUUID } from 'node:crypto'

import { isWholeRun } from '../daily-rows.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

/** A store of one test, of a kind. */
export interface Ground {
  readonly name: string
  open(): Promise<{ readonly store: Store } & AsyncDisposable>
}

const all: readonly Ground[] = [
  { name: 'memory', open: () => opened('memory:', undefined) },
  {
    name: 'file',
    async open() {
      const directory = await temporaryDirectory()
      return opened(`file:${directory.path}`, directory)
    },
  },
  {
    name: 'Redis',
    async open() {
      const redis = await startRedis()
      return opened(`${redis.url}?prefix=${randomUUID()}*:`, redis)
    },
  },
]

/** A store of each kind; the file in a whole run alone. */
export const grounds = all.filter(({ name }) => isWholeRun || name !== 'file')

async function opened(url: string, below: AsyncDisposable | undefined) {
  const store = await openStore(url, { cwd: '/' })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await below?.[Symbol.asyncDispose]()
    },
  }
}
