import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { until } from '../../../src/testing/until.ts'
import { fakeStage, type FakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

interface News {
  readonly status: string
  readonly progress?: number
  readonly quality?: string
}

/** The first poll is answered with old news, but after the second one, which has new ones. */
async function overtaken(old: News, recent: News) {
  let answerFirst: (() => void) | undefined
  let polls = 0
  const takes = takesVideos(() => recent)
  const stage: FakeStage = await fakeStage({
    answer(response, request) {
      if (request.method === 'POST' || polls++ > 0) return takes(response, request)
      answerFirst = () => void answerJson({ id: 'vid_1', ...old })(response, request)
    },
  })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  const { id } = (await created.json()) as { id: string }
  const poll = async () => (await stage.ask(`/v1/videos/${id}`)).json()
  const slow = poll()
  await until(() => answerFirst !== undefined)
  const quick = await poll()
  answerFirst?.()
  const listed = async () =>
    ((await (await stage.ask('/v1/videos')).json()) as { data: unknown[] }).data[0]
  return {
    quick,
    slow: await slow,
    listed: await listed(),
    [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
  }
}

test.each([
  ['less progress', { status: 'in_progress', progress: 20 }],
  ['no progress at all', { status: 'queued', progress: 0 }],
  ['no word of progress', { status: 'queued' }],
])('a poll that was overtaken, with %s, does not take the job back', async (_, old) => {
  const recent = { status: 'in_progress', progress: 80, quality: 'high' }
  await using polls = await overtaken({ ...old, quality: 'low' }, recent)
  for (const told of [polls.quick, polls.slow, polls.listed]) expect(told).toMatchObject(recent)
})

test.each([
  ['that it goes on', { status: 'in_progress', progress: 20 }],
  ['that it has failed', { status: 'failed' }],
])(
  'a job that was seen to be completed stays so, whatever a poll says that was overtaken: %s',
  async (_, old) => {
    const recent = { status: 'completed', progress: 100, error: null }
    await using polls = await overtaken(old, recent)
    for (const told of [polls.quick, polls.slow, polls.listed]) expect(told).toMatchObject(recent)
  },
)
