import { expect, test } from 'vitest'

import { type FakeStage, fakeStage, takesOperations, takesVideos } from './fake.ts'
import { post } from './stage.ts'

async function told({ ask }: FakeStage, prompt = 'a cat'): Promise<Record<string, unknown>> {
  const created = await ask('/v1/videos', post({ model: 'm', prompt }))
  const { id } = (await created.json()) as { id: string }
  return (await (await ask(`/v1/videos/${id}`)).json()) as Record<string, unknown>
}

test('what an account says besides is left out where it has no end', async () => {
  let remark = 'a'.repeat(1_000)
  await using stage = await fakeStage({ answer: takesVideos(() => ({ remark })) })
  expect(await told(stage)).toHaveProperty('remark', remark)
  remark = 'a'.repeat(20_000)
  const video = await told(stage)
  expect(video).not.toHaveProperty('remark')
  expect(video).toMatchObject({ object: 'video', prompt: 'a cat' })
})

test('a client is told the beginning of a prompt that has no end', async () => {
  await using stage = await fakeStage({ answer: takesVideos(() => ({})) })
  const { prompt } = await told(stage, 'a'.repeat(40_000))
  expect(prompt).toBe('a'.repeat(32_000))
})

test('a client is told of as many videos as can be named', async () => {
  const generatedSamples = Array.from({ length: 40 }, () => ({ video: { uri: 'files/one' } }))
  await using stage = await fakeStage({
    provider: 'gemini',
    answer: takesOperations(() => ({
      done: true,
      response: { generateVideoResponse: { generatedSamples } },
    })),
  })
  const { id } = await told(stage)
  const operation = await stage.ask(`/v1beta/operations/${String(id).replace('video_', '')}`)
  const { response } = (await operation.json()) as {
    response: { generatedVideos: { uri: string }[] }
  }
  expect(response.generatedVideos).toHaveLength(36)
  for (const { uri } of response.generatedVideos) expect(uri).toMatch(/files\/[0-9a-z]{30}:/)
})
