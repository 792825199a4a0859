import { expect, test } from 'vitest'

import { finished, videoStage, type VideoStage } from './stage.ts'

test('a range of a video is what the account sends, with its headers', async () => {
  await using stage = await videoStage()
  const path = await contentPath(stage)
  const whole = await stage.ask(path)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="video_.+\.mp4"$/)
  const part = await stage.ask(path, { headers: { range: 'bytes=4-11' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 4-11/${bytes.length}`)
  expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(4, 12))
  const rest = await stage.ask(path, { headers: { range: `bytes=${bytes.length - 3}-` } })
  expect(Buffer.from(await rest.arrayBuffer())).toEqual(bytes.subarray(-3))
  const beyond = await stage.ask(path, { headers: { range: `bytes=${bytes.length}-` } })
  expect(beyond.status).toBe(416)
})

test('HEAD tells of a video and sends none of it', async () => {
  await using stage = await videoStage()
  const path = await contentPath(stage)
  const told = await stage.ask(path, { method: 'HEAD' })
  const whole = await stage.ask(path)
  expect(told.status).toBe(200)
  expect(told.headers.get('content-length')).toBe(whole.headers.get('content-length'))
  expect((await told.arrayBuffer()).byteLength).toBe(0)
})

test('thumbnail and spritesheet are pictures, and there is no other variant', async () => {
  await using stage = await videoStage()
  const { openai } = stage
  const id = (await contentPath(stage)).split('/')[3] as string
  const thumbnail = await openai.videos.downloadContent(id, { variant: 'thumbnail' })
  expect(thumbnail.headers.get('content-type')).toBe('image/webp')
  expect(Buffer.from(await thumbnail.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP')
  const sheet = await openai.videos.downloadContent(id, { variant: 'spritesheet' })
  expect(sheet.headers.get('content-type')).toBe('image/jpeg')
  const other = await stage.ask(`/v1/videos/${id}/content?variant=poster`)
  expect([other.status, await other.json()]).toMatchObject([400, { error: { param: 'variant' } }])
})

test('the content of a video that is not completed, or has failed, is no content', async () => {
  await using stage = await videoStage()
  const { openai } = stage
  const slow = await openai.videos.create({ model: 'sandbox/takes=60000', prompt: 'a snail' })
  const early = await stage.ask(`/v1/videos/${slow.id}/content`)
  expect([early.status, await early.json()]).toMatchObject([
    400,
    { error: { code: 400, message: expect.stringContaining('not completed yet') as string } },
  ])
  const doomed = await openai.videos.create({ model: 'sandbox/polls=0+fails', prompt: 'a moth' })
  const failed = await finished(openai, doomed.id)
  expect(failed).toMatchObject({
    status: 'failed',
    error: { code: 'video_generation_failed', message: expect.any(String), type: 'server_error' },
  })
  const nothing = await stage.ask(`/v1/videos/${doomed.id}/content`)
  expect([nothing.status, await nothing.text()]).toEqual([
    400,
    expect.stringContaining('has failed'),
  ])
})

test('the content of a video whose account cannot be asked is one to come back for', async () => {
  await using stage = await videoStage()
  const model = 'sandbox/polls=0+pollfail=1'
  const { id } = await stage.openai.videos.create({ model, prompt: 'a cat' })
  const early = await stage.ask(`/v1/videos/${id}/content`)
  expect([early.status, early.headers.get('x-should-retry')]).toEqual([503, 'true'])
  expect((await stage.ask(`/v1/videos/${id}/content`)).status).toBe(200)
})

test('a video that its account does not hand out at once is one to come back for', async () => {
  await using stage = await videoStage()
  const path = await contentPath(stage, 'sandbox/polls=0+notready=1')
  const early = await stage.ask(path)
  expect([early.status, early.headers.get('x-should-retry')]).toEqual([503, 'true'])
  expect((await stage.ask(path)).status).toBe(200)
})

/** Where the content of a completed video is. */
async function contentPath(stage: VideoStage, model = 'sandbox/polls=0'): Promise<string> {
  const { id } = await stage.openai.videos.create({ model, prompt: 'a cat' })
  await finished(stage.openai, id)
  return `/v1/videos/${id}/content`
}
