import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

const order = post({ model: 'm', prompt: 'a cat' })

test.each([
  ['1500', '1500'],
  ['soon', '2000'],
  ['1.5', '2000'],
  ['-1', '2000'],
  ['99999999999', '2000'],
])('an account that has pollers wait %s ms has them wait %s', async (reported, told) => {
  await using stage = await fakeStage({
    answer: (response, request) =>
      answerJson(
        { id: 'vid_1', object: 'video', status: 'in_progress' },
        { headers: { 'openai-poll-after-ms': reported } },
      )(response, request),
  })
  const { id } = (await (await stage.ask('/v1/videos', order)).json()) as { id: string }
  const polled = await stage.ask(`/v1/videos/${id}`)
  expect(polled.headers.get('openai-poll-after-ms')).toBe(told)
})

test('an order that its account names is known, whatever the account says of its status', async () => {
  await using stage = await fakeStage({ answer: answerJson({ id: 'vid_1', status: 7 }) })
  const created = await stage.ask('/v1/videos', order)
  expect([created.status, await created.json()]).toMatchObject([200, { status: 'pending' }])
})

test('what an account says in thousands of levels is left out, and ends nothing', async () => {
  const levels = 4_000
  const deep = JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as object
  await using stage = await fakeStage({
    answer: takesVideos(() => ({ deep, status: 'completed' })),
  })
  const { id } = (await (await stage.ask('/v1/videos', order)).json()) as { id: string }
  for (const path of [`/v1/videos/${id}`, '/v1/videos']) {
    const polled = await stage.ask(path)
    expect([polled.status, await polled.text()]).toEqual([200, expect.not.stringContaining('[[')])
  }
})
