import { randomUUID } from 'node:crypto'

import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { startRedis } from '../../src/testing/redis.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

/** A store of one test, of a kind. */
export interface Ground {
  readonly name: string
  open(): Promise<{ readonly store: Store } & AsyncDisposable>
}

/** A store of each kind. */
export const grounds: readonly Ground[] = [
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
