import { expect, test } from 'vitest'

import type { OperationAnswer } from '../operations/stage.ts'
import { operationScene } from '../operations/scene.ts'
import { fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

test.each([202, 204, 205])(
  'a client whose account answers %i for a video is told that it got none',
  async (status) => {
    await using stage = await fakeStage({
      answer: (response, request) =>
        request.url.endsWith('/content')
          ? void response.writeHead(status).end()
          : takesVideos(() => ({ status: 'completed' }))(response, request),
    })
    const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
    const { id } = (await created.json()) as { id: string }
    const response = await stage.ask(`/v1/videos/${id}/content`)
    expect(response.status).toBe(502)
    expect(JSON.stringify(await response.json())).toContain('upstream_invalid_reply')
  },
)

test('nor is an empty video told with its operation', async () => {
  await using scene = await operationScene({
    videos: (account) => [{ uri: `${account}/v1beta/files/1:download` }],
    file: (response) => void response.writeHead(204).end(),
  })
  const { response } = (await (await scene.poll()).json()) as OperationAnswer
  expect(response?.videos).toEqual([{ gcsUri: expect.any(String), mimeType: 'video/mp4' }])
})
