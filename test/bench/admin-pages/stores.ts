/** The kinds of stores, filled. */

import { openStore } from '../../../src/stores/open.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { fillStore } from './records.ts'

/** A store that a gateway opens. */
interface FilledStore extends AsyncDisposable {
  readonly url: string
}

/** A kind of store. */
interface StoreKind {
  readonly name: string
  open(): Promise<FilledStore>
}

/** The kinds. A store in memory is filled by the process that has it. */
export const storeKinds: readonly StoreKind[] = [
  { name: 'memory', open: async () => ({ url: 'memory:', async [Symbol.asyncDispose]() {} }) },
  {
    name: 'file',
    async open() {
      const directory = await temporaryDirectory()
      return filled(`file:${directory.path}`, directory)
    },
  },
  {
    name: 'redis',
    async open() {
      const redis = await startRedis()
      return filled(`${redis.url}?prefix=bench:`, redis)
    },
  },
]

async function filled(url: string, below: AsyncDisposable): Promise<FilledStore> {
  const store = await openStore(url, { cwd: '/' })
  await fillStore(store)
  await store.close()
  return { url, [Symbol.asyncDispose]: () => below[Symbol.asyncDispose]() }
}
