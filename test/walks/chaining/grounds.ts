import { randomUUID } from 'node:crypto'

import { afterAll, beforeAll } from 'vitest'

import { isWholeRun } from '../../daily-rows.ts'
import { openStore } from '../../../src/stores/open.ts'
import type { Store } from '../../../src/stores/store.ts'
import { type TestRedis, startRedis } from '../../../src/testing/redis.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { type OpenAIVersion, openaiVersions } from '../sdk/openai.ts'

/** Where a walk is done: the store behind the gateway and the SDK before it. */
export interface Ground {
  readonly name: string
  readonly sdk: OpenAIVersion
  /** A store of this kind, for one test. */
  open(): Promise<OpenedStore>
}

export interface OpenedStore extends AsyncDisposable {
  readonly store: Store
}

const [oldest, newest] = ['openai 4', 'openai 7'].map(versionCalled)

/**
 * All three stores. Call it at the top of a test file, which then has one Redis for all its tests. The daily run has the
 * oldest SDK in memory and the newest one on Redis; `npm run test:heavy` has both SDKs in memory, and the file.
 */
export function allGrounds(): Ground[] {
  const redis = useRedis()
  const inMemory = () => openUrl('memory:')
  const all = [
    { name: 'memory, openai 7', sdk: newest, open: inMemory },
    { name: 'memory, openai 4', sdk: oldest, open: inMemory },
    { name: 'file, openai 7', sdk: newest, open: openDirectory },
    {
      name: 'Redis, openai 7',
      sdk: newest,
      open: () => openUrl(`${redis().url}?prefix=${randomUUID()}:`),
    },
  ] as Ground[]
  return isWholeRun
    ? all
    : all.filter(({ name }) => name === 'memory, openai 4' || name === 'Redis, openai 7')
}

function versionCalled(name: string): OpenAIVersion {
  const version = openaiVersions.find((one) => one.name === name)
  if (!version) throw new Error(`There is no ${name} among the SDKs.`)
  return version
}

function useRedis(): () => TestRedis {
  let redis: TestRedis | undefined
  beforeAll(async () => void (redis = await startRedis()))
  afterAll(() => redis?.[Symbol.asyncDispose]())
  return () => {
    if (!redis) throw new Error('Redis runs while tests run.')
    return redis
  }
}

async function openUrl(url: string): Promise<OpenedStore> {
  const store = await openStore(url, { cwd: '/' })
  return { store, [Symbol.asyncDispose]: () => store.close() }
}

async function openDirectory(): Promise<OpenedStore> {
  const directory = await temporaryDirectory()
  const { store, ...opened } = await openUrl(`file:${directory.path}`)
  return {
    store,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await directory[Symbol.asyncDispose]()
    },
  }
}
