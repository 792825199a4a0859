import { describe } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { startRedis } from '../../src/testing/redis.ts'
import type { OpenedStore } from '../stores/contract.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { jobsContract } from './contract.ts'

describe('in memory', () => {
  jobsContract(() => opened('memory:'))
})

describe('in a file', () => {
  jobsContract(async () => {
    const directory = await temporaryDirectory()
    return opened(`file:${directory.path}`, directory)
  })
})

describe('in Redis', () => {
  jobsContract(async () => {
    const redis = await startRedis()
    return opened(redis.url, redis)
  })
})

async function opened(url: string, place?: AsyncDisposable): Promise<OpenedStore> {
  const store = await openStore(url, { cwd: '/' })
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await place?.[Symbol.asyncDispose]()
    },
  }
}
