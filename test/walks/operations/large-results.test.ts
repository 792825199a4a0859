import { expect, test } from 'vitest'

import type { OperationAnswer } from './stage.ts'
import { operationScene } from './scene.ts'

const encodedVideo = Buffer.alloc(60_000).toString('base64')
const limits = { replyBytes: 100_000 }

test('a client gets several videos that are larger together than any other reply', async () => {
  const videos = [1, 2, 3, 4].map(() => ({ encodedVideo }))
  await using scene = await operationScene({ limits, videos })
  const { response } = (await (await scene.poll()).json()) as OperationAnswer
  expect(response?.videos).toMatchObject(videos.map(() => ({ bytesBase64Encoded: encodedVideo })))
  expect((await (await scene.download()).arrayBuffer()).byteLength).toBe(60_000)
})

test('an operation whose result no reply can hold has failed, and says why', async () => {
  const videos = Array.from({ length: 9 }, () => ({ encodedVideo }))
  await using scene = await operationScene({ limits, videos })
  for (let poll = 0; poll < 2; poll++) {
    const told = await scene.poll()
    expect(told.headers.has('x-dragoman-stale')).toBe(false)
    expect(await told.json()).toMatchObject({
      done: true,
      error: { message: expect.stringContaining('too large') },
    })
  }
  // What is over is not asked for again.
  expect(scene.account.requests.filter(({ method }) => method === 'GET')).toHaveLength(1)
})
