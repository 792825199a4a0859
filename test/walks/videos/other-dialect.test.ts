import { describe, expect, test } from 'vitest'

import { dataUrl, pngFile } from '../../sandbox/pictures.ts'
import { askOperation, done, order } from '../operations/stage.ts'
import { finished, post, videoStage } from './stage.ts'

const operations = [{ id: 'a', speaks: ['video-operations'] }]

describe('a client of the Videos API on an account that speaks operations', () => {
  test('creates, asks, downloads, remixes, lists and deletes as it is used to', async () => {
    await using stage = await videoStage({ accounts: operations })
    const { openai, sandbox } = stage
    const { id, status } = await openai.videos.create({
      model: 'sandbox/polls=1',
      prompt: 'a cat',
      seconds: '8',
      size: '1280x720',
    })
    expect(status).toBe('queued')
    const body: unknown = JSON.parse(sandbox.requests[0]?.body.toString() ?? '')
    expect(body).toEqual({
      instances: [{ prompt: 'a cat' }],
      parameters: { durationSeconds: 8, aspectRatio: '16:9' },
    })
    expect(await finished(openai, id)).toMatchObject({
      status: 'completed',
      seconds: '8',
      size: '1280x720',
      progress: 100,
    })
    const content = await openai.videos.downloadContent(id)
    expect(Buffer.from(await content.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
    const thumbnail = await stage.ask(`/v1/videos/${id}/content?variant=thumbnail`)
    expect(thumbnail.status).toBe(404)

    const remix = await openai.videos.remix(id, { prompt: 'a dog' })
    expect(remix).toMatchObject({ remixed_from_video_id: id, prompt: 'a dog' })
    const asked = JSON.parse(sandbox.requests.at(-1)?.body.toString() ?? '') as object
    expect(asked).toMatchObject({
      instances: [{ prompt: 'a dog', video: { uri: expect.stringContaining('/files/') } }],
    })
    expect((await openai.videos.list()).data.map((video) => video.id)).toEqual([remix.id, id])
    await openai.videos.delete(id)
    await expect(openai.videos.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  test('sends a reference as a file, or by an address that is fetched', async () => {
    await using stage = await videoStage({ accounts: operations })
    const picture = pngFile([720, 1280])
    const model = 'sandbox/polls=0'
    await stage.openai.videos.create({ model, prompt: 'a', input_reference: picture })
    const input_reference = { image_url: await dataUrl(picture) }
    const asJson = await stage.ask('/v1/videos', post({ model, prompt: 'a', input_reference }))
    expect(asJson.status).toBe(200)
    for (const { body } of stage.sandbox.requests) {
      const { instances } = JSON.parse(body.toString()) as { instances: { image: object }[] }
      expect(instances[0]?.image).toMatchObject({ mimeType: 'image/png' })
    }
    const file_id = 'file-1'
    const named = post({ model, prompt: 'a', input_reference: { file_id } })
    const refused = await stage.ask('/v1/videos', named)
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'input_reference.file_id' } },
    ])
    const text = new File(['no picture'], 'a.png', { type: 'image/png' })
    await expect(
      stage.openai.videos.create({ model, prompt: 'a', input_reference: text }),
    ).rejects.toMatchObject({ status: 400, param: 'input_reference' })
  })

  test('reads failures and withheld videos as it is used to', async () => {
    await using stage = await videoStage({ accounts: operations })
    for (const [model, code, type] of [
      ['sandbox/polls=0+fails=8', 'resource_exhausted', 'server_error'],
      ['sandbox/polls=0+filtered=1', 'moderation_blocked', 'invalid_request_error'],
    ]) {
      const { id } = await stage.openai.videos.create({ model: model ?? '', prompt: 'a' })
      const failed = await finished(stage.openai, id)
      expect(failed).toMatchObject({ status: 'failed', error: { code, type } })
      expect(failed.error?.message).toBeTruthy()
    }
  })

  test('a size that no aspect ratio stands for is refused', async () => {
    await using stage = await videoStage({ accounts: operations })
    const asked = post({ model: 'sandbox/polls=0', prompt: 'a', size: '100x100' })
    const refused = await stage.ask('/v1/videos', asked)
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { param: 'size' } },
    ])
  })
})

describe('a client of operations on an account that speaks the Videos API', () => {
  test('has its video made in the size that it means', async () => {
    await using stage = await videoStage()
    const parameters = { aspectRatio: '9:16', resolution: '1080p', durationSeconds: 8 }
    const name = await order(stage, 'sandbox/polls=1', parameters)
    expect(stage.sandbox.requests[0]?.form?.fields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'size', value: '1024x1792' }),
        expect.objectContaining({ name: 'seconds', value: '8' }),
      ]),
    )
    const operation = await done(stage, name)
    const { pathname } = new URL(operation.response?.generatedVideos[0]?.uri ?? '')
    const content = await stage.ask(`${pathname}?alt=media`)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    const [listed] = (await stage.openai.videos.list()).data
    expect(listed).toMatchObject({ status: 'completed', size: '1024x1792', seconds: '8' })
  })

  test('is told what the account is not asked for', async () => {
    await using stage = await videoStage()
    const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
    const instances = [{ prompt: 'a cat' }]
    const parameters = { negativePrompt: 'dogs', seed: 7, personGeneration: 'allow_all' }
    const created = await askOperation(stage, path, { body: { instances, parameters } })
    expect(created.status).toBe(200)
    const losses = created.raw.headers.get('x-dragoman-losses')
    for (const field of Object.keys(parameters)) expect(losses).toContain(`parameters.${field}`)
    const many = { instances, parameters: { sampleCount: 2 } }
    const refused = await askOperation(stage, path, { body: many })
    expect([refused.status, refused.error?.message]).toEqual([
      400,
      expect.stringContaining('sampleCount'),
    ])
  })

  test('reads a failure as a status of google.rpc', async () => {
    await using stage = await videoStage()
    const operation = await done(stage, await order(stage, 'sandbox/polls=0+fails'))
    expect(operation).toMatchObject({
      done: true,
      error: { code: 13, details: [{ code: 'video_generation_failed' }] },
    })
  })

  test('has a video made of one that it was given before', async () => {
    await using stage = await videoStage()
    const name = await order(stage, 'sandbox/polls=0')
    const { response } = await done(stage, name)
    const video = { uri: response?.generatedVideos[0]?.uri }
    const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
    const body = { instances: [{ prompt: 'a dog', video }] }
    expect((await askOperation(stage, path, { body })).status).toBe(200)
    expect(stage.sandbox.requests.at(-1)?.url).toMatch(/\/remix$/)
    const foreign = { instances: [{ prompt: 'a', video: { uri: 'https://x.test/files/abc' } }] }
    expect((await askOperation(stage, path, { body: foreign })).status).toBe(400)
  })
})
