import { expect, test } from 'vitest'

import { clientOf, finished, post, videoStage, type VideoStage } from './stage.ts'

const two = [
  { id: 'a', speaks: ['videos'] },
  { id: 'b', speaks: ['videos'] },
]

test('a completed video is remixed by the account that has it, without a model', async () => {
  await using stage = await videoStage({ accounts: two })
  const { openai } = stage
  for (let turn = 0; turn < 6; turn++) {
    const source = await completed(stage)
    const remix = await openai.videos.remix(source.id, { prompt: 'at night' })
    expect(remix).toMatchObject({
      status: 'queued',
      prompt: 'at night',
      model: 'sandbox/polls=0',
      remixed_from_video_id: source.id,
      size: '1280x720',
    })
    expect(remix.id).not.toBe(source.id)
    expect((await finished(openai, remix.id)).status).toBe('completed')
  }
  const asked = stage.sandbox.requests.filter(({ url }) => url.endsWith('/remix'))
  expect(asked).toHaveLength(6)
})

test('the model may be told where it is the same, and the account is not told of it', async () => {
  await using stage = await videoStage({
    accounts: [{ id: 'a', speaks: ['videos'], models: { camera: 'sandbox/polls=0', lens: 'x' } }],
    aliases: { 'my-camera': 'camera' },
  })
  const source = await completed(stage, 'my-camera')
  const path = `/v1/videos/${source.id}/remix`
  for (const model of ['camera', 'my-camera']) {
    const remix = await stage.ask(path, post({ model, prompt: 'in snow' }))
    expect([remix.status, await remix.json()]).toMatchObject([200, { model }])
    expect(JSON.parse(stage.sandbox.requests.at(-1)?.body.toString() ?? '')).toEqual({
      prompt: 'in snow',
    })
  }
  const asked = stage.sandbox.requests.length
  for (const model of ['lens', 'none', '']) {
    const refused = await stage.ask(path, post({ model, prompt: 'in snow' }))
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'model' } },
    ])
  }
  expect(stage.sandbox.requests).toHaveLength(asked)
})

test('a form remixes as JSON does', async () => {
  await using stage = await videoStage()
  const source = await completed(stage)
  const body = new FormData()
  body.append('prompt', 'in rain')
  const remix = await stage.ask(`/v1/videos/${source.id}/remix`, { method: 'POST', body })
  expect(await remix.json()).toMatchObject({ prompt: 'in rain', remixed_from_video_id: source.id })
})

test('a video that is not completed, or has failed, is no base for a remix', async () => {
  await using stage = await videoStage()
  for (const model of ['sandbox/takes=60000', 'sandbox/polls=0+fails']) {
    const { id } = await stage.openai.videos.create({ model, prompt: 'a cat' })
    const refused = await stage.ask(`/v1/videos/${id}/remix`, post({ prompt: 'at sea' }))
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { code: 400, type: 'invalid_request_error', details: [expect.anything()] } },
    ])
  }
  expect(stage.sandbox.requests.some(({ url }) => url.endsWith('/remix'))).toBe(false)
})

test('a job that was never asked about is looked at before it is remixed', async () => {
  await using stage = await videoStage()
  const { id } = await stage.openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a cat' })
  const remix = await stage.openai.videos.remix(id, { prompt: 'a dog' })
  expect(remix.remixed_from_video_id).toBe(id)
})

test('another key’s video, and one that never was, cannot be remixed', async () => {
  await using stage = await videoStage({
    keys: [
      { id: 'test', secret: 'test-secret' },
      { id: 'other', secret: 'other-secret' },
    ],
  })
  const source = await completed(stage)
  const other = clientOf(stage.gateway, 'other-secret')
  await expect(other.videos.remix(source.id, { prompt: 'x' })).rejects.toMatchObject({
    status: 404,
  })
  const { openai } = stage
  await expect(openai.videos.remix('video_1', { prompt: 'x' })).rejects.toMatchObject({
    status: 404,
  })
})

async function completed({ openai }: VideoStage, model = 'sandbox/polls=0') {
  const { id } = await openai.videos.create({ model, prompt: 'a cat', size: '1280x720' })
  return finished(openai, id)
}
