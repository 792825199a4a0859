import { expect, test } from 'vitest'

import { finished, videoStage } from './stage.ts'

test('the access log names the operation, the account and the key of each call of a job', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a', speaks: ['video-operations'] }] })
  const { openai, gateway } = stage
  const { id } = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  await finished(openai, id)
  await (await openai.videos.downloadContent(id)).arrayBuffer()
  await openai.videos.list()
  const lines = await gateway.logged(4)
  const told = lines.map(({ route, account, key_id, status }) => [route, account, key_id, status])
  expect(told).toEqual([
    ['videos.create', 'a', 'test', 200],
    ['videos.retrieve', 'a', 'test', 200],
    ['videos.content', 'a', 'test', 200],
    ['videos.list', undefined, 'test', 200],
  ])
})

test('a key that may know how its calls are routed asks about a job as about anything', async () => {
  await using stage = await videoStage({
    keys: [{ id: 'test', secret: 'test-secret', explain: true }],
  })
  const { id } = await stage.openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  const headers = { 'x-dragoman-explain': '1' }
  for (const path of [`/v1/videos/${id}`, `/v1/videos/${id}/content`, '/v1/videos']) {
    expect((await stage.ask(path, { headers })).status).toBe(200)
  }
})
