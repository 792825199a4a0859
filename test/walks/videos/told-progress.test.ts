import { expect, test } from 'vitest'

import { fakeStage, takesVideos } from './fake.ts'
import { post } from './stage.ts'

/** What a client is told of one job, poll by poll, while its account tells this. */
async function polled(states: readonly object[], now = Date.now): Promise<unknown[]> {
  const left = [...states]
  await using stage = await fakeStage({ now, answer: takesVideos(() => left.shift() ?? {}) })
  const created = await stage.ask('/v1/videos', post({ model: 'm', prompt: 'a cat' }))
  const { id } = (await created.json()) as { id: string }
  const told: unknown[] = []
  for (const _ of states) told.push(await (await stage.ask(`/v1/videos/${id}`)).json())
  return told
}

const making = { status: 'in_progress' }

test('a client reads progress as a percentage that is whole at the end alone', async () => {
  const states = [
    { ...making, progress: -3 },
    { ...making, progress: 12.6 },
    { ...making, progress: 250 },
    { status: 'completed', progress: 40 },
  ]
  expect(await polled(states)).toMatchObject([
    { ...making, progress: 0 },
    { ...making, progress: 13 },
    { ...making, progress: 99 },
    { status: 'completed', progress: 100 },
  ])
})

test('progress stays as it was where an account says nothing of it', async () => {
  const states = [
    { ...making, progress: 60 },
    { ...making, progress: undefined },
  ]
  expect(await polled(states)).toMatchObject([{ progress: 60 }, { progress: 60 }])
})

test.each([
  ['cancelled', 'failed'],
  ['expired', 'failed'],
  ['rendering', 'in_progress'],
])('a job that its account calls %s is told as %s', async (status, told) => {
  expect(await polled([{ status }])).toMatchObject([{ status: told }])
})

test('a client is told until when its account keeps a video', async () => {
  const expires_at = Math.floor(Date.now() / 1_000) + 600
  const states = [{ status: 'completed', expires_at }]
  expect(await polled(states)).toMatchObject([{ expires_at }])
})
