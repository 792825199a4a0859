import { expect, test } from 'vitest'

import { finished, type VideoStage, videoStage } from './stage.ts'

const failing = { headers: { 'x-sandbox': 'status=503' } }

test('a client that tries the sandbox steers its look-ups by the header', async () => {
  await using stage = await videoStage()
  const id = await ordered(stage)
  const stale = await stage.ask(`/v1/videos/${id}`, failing)
  expect([stale.status, stale.headers.get('x-dragoman-stale')]).toEqual([200, 'true'])
  await finished(stage.openai, id)
  const content = await stage.ask(`/v1/videos/${id}/content`, failing)
  expect(content.status).toBe(503)
  expect((await stage.ask(`/v1/videos/${id}/content`)).status).toBe(200)
})

test('where the call is translated the header goes no further', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a', speaks: ['video-operations'] }] })
  const id = await ordered(stage)
  const polled = await stage.ask(`/v1/videos/${id}`, failing)
  expect(await polled.json()).toMatchObject({ status: 'completed' })
  expect((await stage.ask(`/v1/videos/${id}/content`, failing)).status).toBe(200)
  for (const { headers } of stage.sandbox.requests) expect(headers).not.toHaveProperty('x-sandbox')
})

async function ordered({ openai }: VideoStage): Promise<string> {
  return (await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })).id
}
