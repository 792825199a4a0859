import { expect, test } from 'vitest'

import { fakeStage, takesOperations, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const underWay = takesOperations(() => ({ done: false }))

test.each([
  [{ aspectRatio: '16:9', resolution: '4k', durationSeconds: 8 }, '3840x2160', '8'],
  [{ aspectRatio: '9:16', resolution: '4k' }, '2160x3840', ''],
  [{ aspectRatio: '16:9' }, '1280x720', ''],
  [{ aspectRatio: '1:1', durationSeconds: 6 }, '720x720', '6'],
  [{ aspectRatio: '16:9', resolution: 'cinema' }, '1280x720', ''],
  [{ resolution: '1080p' }, '', ''],
  [{}, '', ''],
])(
  'an operation with %j is told as a video of size %j and %j seconds',
  async (parameters, size, seconds) => {
    await using stage = await fakeStage({ provider: 'gemini', answer: underWay })
    const body = { instances: [{ prompt: 'a cat' }], parameters }
    const created = await stage.ask('/v1beta/models/m:predictLongRunning', post(body))
    const { name } = (await created.json()) as { name: string }
    const video = await (await stage.ask(`/v1/videos/video_${name.split('/').at(-1)}`)).json()
    expect(video).toMatchObject({ size, seconds })
  },
)

test('a video that says nothing of its shape has the usual one of the Videos API', async () => {
  for (const provider of ['openai', 'gemini'] as const) {
    const answer = provider === 'openai' ? takesVideos(() => ({})) : underWay
    await using stage = await fakeStage({ provider, answer })
    const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
    expect(await created.json()).toMatchObject({ size: '720x1280', seconds: '4' })
  }
})

test('what the account says of the shape holds, also where it says it as a number', async () => {
  await using stage = await fakeStage({
    answer: takesVideos(() => ({ status: 'in_progress', seconds: 12, size: '1280x720' })),
  })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  const { id } = (await created.json()) as { id: string }
  const video = await stage.ask(`/v1/videos/${id}`)
  expect(await video.json()).toMatchObject({ size: '1280x720', seconds: '12' })
})
