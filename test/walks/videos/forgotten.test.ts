import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

/** A job of an account, and a clock that a test sets forward. */
async function orderedStage(state: () => object | undefined) {
  let time = Date.now()
  const stage = await fakeStage({
    now: () => time,
    answer(response, request) {
      const told = state()
      const isGone = request.method === 'GET' && told === undefined
      const answer = isGone ? answerJson({}, { status: 404 }) : takesVideos(() => told ?? {})
      return answer(response, request)
    },
  })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  const { id } = (await created.json()) as { id: string }
  return {
    ...stage,
    path: `/v1/videos/${id}`,
    forward: (seconds: number) => (time += seconds * 1_000),
    now: () => Math.floor(time / 1_000),
  }
}

test('a job that its account has forgotten is not found, once it has had time to settle', async () => {
  await using stage = await orderedStage(() => undefined)
  const early = await stage.ask(stage.path)
  expect([early.status, early.headers.get('x-dragoman-stale')]).toEqual([200, 'true'])
  stage.forward(61)
  expect((await stage.ask(stage.path)).status).toBe(404)
})

test('a video of which its account has lost the file is told as one that is not there', async () => {
  let isLost = false
  await using stage = await orderedStage(() => (isLost ? undefined : { status: 'completed' }))
  expect((await stage.ask(stage.path)).status).toBe(200)
  isLost = true
  stage.forward(61)
  const content = await stage.ask(`${stage.path}/content`)
  expect([content.status, await content.json()]).toMatchObject([
    404,
    { error: { message: expect.stringMatching(/^Video with id 'video_/) as string } },
  ])
})

test('a video that its account keeps no more is not found', async () => {
  let expires_at = 0
  await using stage = await orderedStage(() => ({ status: 'completed', expires_at }))
  stage.forward(61)
  expires_at = stage.now() - 1
  expect((await stage.ask(stage.path)).status).toBe(404)
})
