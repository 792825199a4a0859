import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { post, videoStage } from './stage.ts'

test('polls for the source of a remix are no evidence that its account works', async () => {
  let status = 200
  await using account = await startFakeAccount((response, request) => {
    const isPoll = request.method === 'GET'
    const video = { id: 'v', status: isPoll ? 'in_progress' : 'queued', progress: 1 }
    return answerJson(video, { status: isPoll ? 200 : status })(response, request)
  })
  await using stage = await videoStage({
    accounts: [{ id: 'a', speaks: ['videos'], baseUrl: account.url }],
  })
  const create = () => stage.ask('/v1/videos', post({ model: 'camera', prompt: 'a' }))
  const { id } = (await (await create()).json()) as { id: string }
  const remix = () => stage.ask(`/v1/videos/${id}/remix`, post({ prompt: 'b' }))
  status = 500
  const told: number[] = []
  for (let failures = 0; failures < 6; failures++) {
    told.push((await create()).status)
    if (failures === 2) expect((await remix()).status).toBe(400)
  }
  expect(told).toEqual([500, 500, 500, 500, 500, 503])
  expect(stage.gateway.log.map(({ msg }) => msg)).toEqual(['circuit opened: 5 of 5 calls got 500'])
})
