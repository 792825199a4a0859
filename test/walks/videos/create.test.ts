import { expect, test } from 'vitest'

import { dataUrl, pngFile } from '../../sandbox/pictures.ts'
import { finished, post, videoStage } from './stage.ts'

test('a client of the SDK creates a video, asks until it is made, and downloads it', async () => {
  await using stage = await videoStage()
  const { openai } = stage
  const created = await openai.videos.create({
    model: 'sandbox/polls=2',
    prompt: 'a cat',
    seconds: '8',
    size: '1280x720',
  })
  expect(created).toEqual({
    id: expect.stringMatching(/^video_[0-9a-z]{29}$/),
    object: 'video',
    created_at: expect.any(Number),
    completed_at: null,
    expires_at: null,
    model: 'sandbox/polls=2',
    status: 'queued',
    progress: 0,
    seconds: '8',
    size: '1280x720',
    prompt: 'a cat',
    remixed_from_video_id: null,
    error: null,
  })
  const states = []
  for (let poll = 0; poll < 3; poll++) {
    const { status, progress } = await openai.videos.retrieve(created.id)
    states.push([status, progress])
  }
  expect(states).toEqual([
    ['in_progress', 33],
    ['in_progress', 66],
    ['completed', 100],
  ])
  const done = await openai.videos.retrieve(created.id)
  expect(done).toMatchObject({
    completed_at: expect.any(Number),
    expires_at: expect.any(Number),
    error: null,
  })
  const content = await openai.videos.downloadContent(created.id)
  expect(content.headers.get('content-type')).toBe('video/mp4')
  const bytes = Buffer.from(await content.arrayBuffer())
  expect(bytes.toString('latin1', 4, 8)).toBe('ftyp')
  expect(bytes.length).toBe(Number(content.headers.get('content-length')))
})

test('a JSON request makes a video as a form does, and the job is pending', async () => {
  await using stage = await videoStage()
  const created = await stage.ask('/v1/videos', post({ model: 'sandbox/polls=1', prompt: 'a dog' }))
  expect(created.status).toBe(200)
  expect(created.headers.get('openai-poll-after-ms')).toBe('100')
  expect(await created.json()).toMatchObject({ status: 'pending', seconds: '4', size: '720x1280' })
})

test('a reference goes along, as a file or in JSON', async () => {
  await using stage = await videoStage()
  const { openai } = stage
  const picture = pngFile([1280, 720])
  const asFile = await openai.videos.create({
    model: 'sandbox/polls=1',
    prompt: 'a fox',
    size: '1280x720',
    input_reference: picture,
  })
  expect((await finished(openai, asFile.id)).status).toBe('completed')
  const asJson = await stage.ask(
    '/v1/videos',
    post({
      model: 'sandbox/polls=1',
      prompt: 'a fox',
      size: '1280x720',
      input_reference: { image_url: await dataUrl(picture) },
    }),
  )
  expect(asJson.status).toBe(200)
})

test('the model may come behind the file, and an account calls it otherwise', async () => {
  await using stage = await videoStage({
    accounts: [{ id: 'a', speaks: ['videos'], models: { camera: 'sandbox/polls=0' } }],
    aliases: { 'my-camera': 'camera' },
  })
  const form = new FormData()
  form.append('prompt', 'a hen')
  form.append('input_reference', pngFile([720, 1280]))
  form.append('model', 'my-camera')
  const created = await stage.ask('/v1/videos', { method: 'POST', body: form })
  expect(await created.json()).toMatchObject({ model: 'my-camera', prompt: 'a hen' })
  expect(created.status).toBe(200)
})

test('a client that names no model gets the usual one where it is served', async () => {
  await using usual = await videoStage({
    accounts: [{ id: 'a', speaks: ['videos'], models: { 'sora-2': 'sandbox/polls=0' } }],
  })
  for (const request of [post({ prompt: 'a cow' }), asForm({ prompt: 'a cow' })]) {
    const created = await usual.ask('/v1/videos', request)
    expect(await created.json()).toMatchObject({ model: 'sora-2', prompt: 'a cow' })
    const sent = usual.sandbox.requests.at(-1)
    expect(sent?.body.toString()).toContain('sandbox/polls=0')
  }
  await using other = await videoStage({
    accounts: [{ id: 'a', speaks: ['videos'], models: { camera: 'sandbox/polls=1' } }],
  })
  const refused = await other.ask('/v1/videos', post({ prompt: 'a cow' }))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { param: 'model' } })
})

test.each([
  [{ model: 'sandbox/polls=1' }, 'prompt'],
  [{ model: 'sandbox/polls=1', prompt: ' ' }, 'prompt'],
  [{ model: '', prompt: 'a' }, 'model'],
  [{ model: 'sandbox/polls=1', prompt: 'a', size: 'large' }, 'size'],
  [{ model: 'sandbox/polls=1', prompt: 'a', seconds: 'four' }, 'seconds'],
])('%j is refused for its %s, and no account is asked', async (body, param) => {
  await using stage = await videoStage()
  for (const request of [post(body), asForm(body)]) {
    const refused = await stage.ask('/v1/videos', request)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toMatchObject({ error: { code: 400, param } })
  }
  expect(stage.sandbox.requests).toEqual([])
})

function asForm(fields: Record<string, string>): RequestInit {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  return { method: 'POST', body }
}
