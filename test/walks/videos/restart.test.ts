import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../../src/sandbox/index.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { startRedis } from '../../../src/testing/redis.ts'
import { breakable } from '../../../src/testing/breakable-store.ts'
import { openMemoryStore } from '../../../src/stores/memory.ts'
import { temporaryDirectory } from '../../stores/temporary.ts'
import { clientOf, finished, videoStage } from './stage.ts'

const stores = {
  async file() {
    const directory = await temporaryDirectory()
    const dispose = () => directory[Symbol.asyncDispose]()
    return { store: `file:${directory.path}`, [Symbol.asyncDispose]: dispose }
  },
  async Redis() {
    const redis = await startRedis()
    return { store: redis.url, [Symbol.asyncDispose]: () => redis[Symbol.asyncDispose]() }
  },
}

describe.each(Object.entries(stores))('on %s', (_name, open) => {
  test('a job that was created before a restart goes on after it', async () => {
    await using opened = await open()
    await using sandbox = await startSandbox()
    const { store } = opened
    const account = { provider: 'sandbox', baseUrl: sandbox.url, models: ['*'] }
    const accounts = ['a', 'b'].map((id) => ({ ...account, id, apiKey: `sandbox-key-${id}` }))
    let id: string
    {
      await using before = await createTestGateway({ store, accounts })
      const model = 'sandbox/polls=2'
      const created = await clientOf(before).videos.create({ model, prompt: 'a cat' })
      id = created.id
      expect((await clientOf(before).videos.retrieve(id)).status).toBe('in_progress')
    }
    await using after = await createTestGateway({ store, accounts })
    const openai = clientOf(after)
    expect(await finished(openai, id)).toMatchObject({ status: 'completed', prompt: 'a cat' })
    const content = await openai.videos.downloadContent(id)
    expect((await content.arrayBuffer()).byteLength).toBeGreaterThan(100)
    const remix = await openai.videos.remix(id, { prompt: 'a dog' })
    expect((await openai.videos.list()).data.map((video) => video.id)).toEqual([remix.id, id])
  })
})

test('two replicas on one Redis tell of the same jobs', async () => {
  await using redis = await startRedis()
  await using one = await videoStage({ store: redis.url })
  await using two = await createTestGateway({
    store: redis.url,
    accounts: [
      {
        id: 'a',
        provider: 'sandbox',
        baseUrl: one.sandbox.url,
        apiKey: 'sandbox-key-a',
        models: ['*'],
      },
    ],
  })
  const { id } = await one.openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  expect((await clientOf(two).videos.retrieve(id)).status).toBe('completed')
  expect((await one.openai.videos.retrieve(id)).status).toBe('completed')
})

test('a store that cannot be read is no missing job, and one that cannot be written costs none', async () => {
  const store = breakable(openMemoryStore())
  await using stage = await videoStage({ store })
  const { openai } = stage
  const { id } = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  store.broken.reads = true
  for (const asking of [
    () => openai.videos.retrieve(id),
    () => openai.videos.list(),
    () => openai.videos.remix(id, { prompt: 'b' }),
    () => openai.videos.delete(id),
  ]) {
    await expect(asking()).rejects.toMatchObject({ status: 503 })
  }
  Object.assign(store.broken, { reads: false, writes: true })
  const unwritten = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'b' })
  expect((await openai.videos.retrieve(unwritten.id)).status).toBe('completed')
  expect((await openai.videos.retrieve(id)).status).toBe('completed')
  store.broken.writes = false
})
