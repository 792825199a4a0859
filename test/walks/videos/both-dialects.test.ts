import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { askOperation, done, order } from '../operations/stage.ts'
import { finished, post, videoStage } from './stage.ts'

test('a job is known to clients of both dialects, whichever created it', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a' }] })
  const { openai, sandbox } = stage
  const name = await order(stage, 'sandbox/polls=0')
  const id = `video_${name.split('/').at(-1)}`
  expect((await finished(openai, id)).status).toBe('completed')
  const remix = await openai.videos.remix(id, { prompt: 'a dog' })
  expect(sandbox.requests.at(-1)?.url).toMatch(/:predictLongRunning$/)
  const remixed = `operations/${remix.id.replace('video_', '')}`
  const { response } = await done(stage, remixed)

  const created = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  expect(sandbox.requests.at(-1)?.url).toBe('/v1/videos')
  const told = await done(stage, `operations/${created.id.replace('video_', '')}`)
  const video = { uri: told.response?.generatedVideos[0]?.uri }
  const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
  const again = await askOperation(stage, path, { body: { instances: [{ prompt: 'b', video }] } })
  expect(again.status).toBe(200)
  expect(sandbox.requests.at(-1)?.url).toMatch(/\/remix$/)
  const operation = { uri: response?.generatedVideos[0]?.uri }
  const extended = { instances: [{ prompt: 'c', video: operation }] }
  expect((await askOperation(stage, path, { body: extended })).status).toBe(200)
  const sent = JSON.parse(sandbox.requests.at(-1)?.body.toString() ?? '') as object
  expect(sent).toMatchObject({
    instances: [
      { prompt: 'c', video: { uri: expect.stringContaining(`${sandbox.url}/v1beta/files/`) } },
    ],
  })
})

test('what nothing may be lost of goes to an account that takes it all, or to none', async () => {
  const accounts = [{ id: 'a', speaks: ['videos'] }]
  await using strict = await videoStage({ accounts, losses: 'reject' })
  const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
  const body = { instances: [{ prompt: 'a' }], parameters: { seed: 7 } }
  const refused = await askOperation(strict, path, { body })
  expect([refused.status, refused.error?.message]).toEqual([400, expect.stringContaining('seed')])
  await using both = await videoStage({
    losses: 'native',
    accounts: [...accounts, { id: 'b', speaks: ['video-operations'] }],
  })
  const created = await askOperation(both, path, { body })
  expect([created.status, created.raw.headers.get('x-dragoman-account')]).toEqual([200, 'b'])
})

test('an operation’s name has the project and location that its account names', async () => {
  const name = 'projects/p1/locations/l1/publishers/google/models/veo/operations/op-1'
  await using account = await startFakeAccount(answerJson({ name, metadata: { step: 1 } }))
  await using gateway = await createTestGateway({
    accounts: [{ id: 'a', provider: 'gemini', baseUrl: account.url, apiKey: 'k', models: ['*'] }],
  })
  const stage = { gateway } as Parameters<typeof askOperation>[0]
  const short = await order(stage, 'veo')
  expect(short).toMatch(/^projects\/p1\/locations\/l1\/operations\/[0-9a-z]{29}$/)
  const told = await askOperation(stage, `/v1/${short}`)
  expect(account.requests.at(-1)?.url).toBe(`/v1beta/${name}`)
  const id = short.split('/').at(-1)
  expect(told).toMatchObject({
    name: `projects/p1/locations/l1/publishers/google/models/veo/operations/${id}`,
    done: false,
    metadata: { step: 1 },
  })
  const video = await fetch(`${gateway.url}/v1/videos/video_${id}`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  })
  expect(await video.json()).not.toHaveProperty('metadata')
  const elsewhere = `/v1/projects/dragoman/locations/global/operations/${id}`
  expect((await askOperation(stage, elsewhere)).status).toBe(404)
})

test('what an account says besides is told to clients of its own dialect', async () => {
  const video = { id: 'video_1', object: 'video', status: 'queued', quality: 'high' }
  await using account = await startFakeAccount(answerJson(video))
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${account.url}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  const request = post({ model: 'm', prompt: 'a', style: 'film' })
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` }
  const created = await fetch(`${gateway.url}/v1/videos`, { ...request, headers })
  const { id, ...told } = (await created.json()) as { id: string }
  expect(told).toMatchObject({ quality: 'high', status: 'pending' })
  expect(account.requests[0]?.body.toString()).toBe(
    JSON.stringify({ model: 'm', prompt: 'a', style: 'film' }),
  )
  const stage = { gateway } as Parameters<typeof askOperation>[0]
  const operation = await askOperation(stage, `/v1beta/operations/${id.replace('video_', '')}`)
  expect(operation).not.toHaveProperty('quality')
})
