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

/** Seconds since the order at which an account reports that a video is completed and expires. */
const clocks: [reported: [number, number], told: [number, number]][] = [
  [
    [30.7, 1_000.5],
    [30, 1_000],
  ],
  [
    [-5_000, -1],
    [0, 172_800],
  ],
  [
    [1e9, 1e9],
    [60, 2_592_000],
  ],
  [
    [1e15, 1e15],
    [60, 172_860],
  ],
]

test.each(clocks)(
  'times that an account reports as %j after the order are told as %j',
  async (reported, told) => {
    let time = 1_800_000_000_000
    const ordered = time / 1_000
    const [completed_at, expires_at] = reported.map((seconds) => ordered + seconds)
    const state = { status: 'completed', completed_at, expires_at }
    await using stage = await fakeStage({ now: () => time, answer: takesVideos(() => state) })
    const { id } = (await (await stage.ask('/v1/videos', order)).json()) as { id: string }
    time += 60_000
    const [completed, expires] = told
    expect(await (await stage.ask(`/v1/videos/${id}`)).json()).toMatchObject({
      created_at: ordered,
      completed_at: ordered + completed,
      expires_at: ordered + expires,
    })
  },
)
