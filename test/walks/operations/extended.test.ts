import { expect, test } from 'vitest'

import { type FakeStage, fakeStage, ordered, takesOperations } from '../videos/fake.ts'
import { post } from '../videos/stage.ts'
import { enterpriseOf, operationStage } from './stage.ts'

const create = '/v1beta/models/m:predictLongRunning'
const short = { uri: 'gs://films/one.mp4' }

/** An account with one operation, which has these videos, and what a client is told of them. */
async function withVideos(...videos: object[]) {
  const generatedSamples = videos.map((video) => ({ video }))
  const done = { done: true, response: { generateVideoResponse: { generatedSamples } } }
  const stage = await fakeStage({ provider: 'gemini', answer: takesOperations(() => done) })
  const created = await stage.ask(create, post({ instances: [{ prompt: 'a cat' }] }))
  const { name } = (await created.json()) as { name: string }
  const [place] = name.split('/operations/')
  const told = await stage.ask(
    `/v1beta1/${place}:fetchPredictOperation`,
    post({ operationName: name }),
  )
  const { response } = (await told.json()) as { response: { videos: { gcsUri: string }[] } }
  return { stage, uris: response.videos.map(({ gcsUri }) => gcsUri) }
}

function extend({ ask }: FakeStage, ...videos: object[]): Promise<Response> {
  return ask(create, post({ instances: videos.map((video) => ({ prompt: 'goes on', video })) }))
}

test('a client in enterprise mode goes on from its video, by the name that it was told', async () => {
  await using stage = await operationStage({
    accounts: ['a', 'b'].map((id) => ({ id, speaks: ['video-operations'] })),
  })
  const { models, operations } = enterpriseOf(stage)
  const model = 'sandbox/polls=0'
  for (let turn = 0; turn < 6; turn++) {
    const begun = await models.generateVideos({ model, source: { prompt: 'a cat' } })
    const operation = await operations.getVideosOperation({ operation: begun })
    const uri = operation.response?.generatedVideos?.[0]?.video?.uri ?? ''
    const video = { uri, mimeType: 'video/mp4' }
    const again = await models.generateVideos({ model, source: { prompt: 'it yawns', video } })
    expect(again.name).toContain('/operations/')
    const asked = stage.sandbox.requests.at(-1)?.body.toString()
    expect(asked).toContain(`${stage.sandbox.url}/v1beta/files/`)
    const orders = stage.sandbox.requests.filter(({ method }) => method === 'POST').slice(-2)
    const [first, second] = orders.map(({ headers }) => headers['x-goog-api-key'])
    expect(second).toBe(first)
  }
})

test('an account finds its video in the field in which it reads such a place', async () => {
  for (const [place, written] of [
    ['https://files.test/v1beta/files/one', 'uri'],
    ['gs://films/one.mp4', 'gcsUri'],
  ] as const) {
    const { stage, uris } = await withVideos({ uri: place })
    await using _ = stage
    for (const field of ['uri', 'gcsUri']) {
      expect((await extend(stage, { [field]: uris[0], mimeType: 'video/mp4' })).status).toBe(200)
      const [{ video } = { video: {} }] = ordered(stage)['instances'] as { video: object }[]
      expect(video).toMatchObject({ [written]: place })
      expect(JSON.stringify(video)).not.toContain(stage.gateway.url.replace('http:', ''))
      expect(Object.keys(video)).toHaveLength(2)
    }
  }
})

test('a video that its account keeps nowhere is told to it again', async () => {
  const encodedVideo = Buffer.from('a film').toString('base64')
  const { stage, uris } = await withVideos({ encodedVideo, encoding: 'video/webm' })
  await using _ = stage
  for (const field of ['uri', 'gcsUri']) {
    expect((await extend(stage, { [field]: uris[0] })).status).toBe(200)
    expect(ordered(stage)).toMatchObject({
      instances: [{ video: { encodedVideo, encoding: 'video/webm' } }],
    })
  }
})

test('a client goes on from the second video of an operation, and not from the first', async () => {
  const { stage, uris } = await withVideos(short, { uri: 'gs://films/two.mp4' })
  await using _ = stage
  await extend(stage, { gcsUri: uris[1] })
  expect(ordered(stage)).toMatchObject({ instances: [{ video: { gcsUri: 'gs://films/two.mp4' } }] })
  const third = uris[0]?.replace(/0:download/, '2:download')
  expect((await extend(stage, { gcsUri: third })).status).toBe(404)
})

test('a video goes on in one instance alone', async () => {
  const { stage, uris } = await withVideos(short)
  await using _ = stage
  const asked = stage.account.requests.length
  for (const videos of [
    [{ gcsUri: 'gs://own/film.mp4' }, { gcsUri: uris[0] }],
    [{ uri: uris[0] }, { uri: uris[0] }],
  ]) {
    const refused = await extend(stage, ...videos)
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('instances[1].video'),
    ])
  }
  expect(stage.account.requests).toHaveLength(asked)
})
