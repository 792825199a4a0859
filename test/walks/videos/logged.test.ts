import { expect, test } from 'vitest'

import { answerJson } from '../../../src/testing/fake-account.ts'
import { fakeStage, takesVideos } from './fake.ts'
import { post, type VideoStage, videoStage } from './stage.ts'

test('an operator finds a job in the line of every request about it', async () => {
  await using stage = await videoStage({ aliases: { film: 'sandbox/polls=0' } })
  const shown = await ordered(stage, 'film')
  const id = shown.replace('video_', '')
  for (const path of [shown, `${shown}/content`, `${shown}/content?variant=none`]) {
    await (await stage.ask(`/v1/videos/${path}`)).arrayBuffer()
  }
  await stage.ask(`/v1/videos/${shown}`, { method: 'DELETE' })
  const about = { job_id: id, account: 'a', model_requested: 'film' }
  const resolved = { ...about, model_resolved: 'sandbox/polls=0' }
  const lines = await stage.gateway.logged(5)
  expect(lines).toMatchObject([
    { ...resolved, route: 'videos.create', job_status: 'queued', response_id: shown },
    { ...resolved, route: 'videos.retrieve', job_status: 'completed' },
    { ...resolved, route: 'videos.content', job_status: 'completed' },
    { ...resolved, route: 'videos.content', status: 400 },
    { ...resolved, route: 'videos.delete' },
  ])
  for (const line of lines) expect(line).not.toHaveProperty('stale')
})

test('a poll that its account did not answer says so, and why', async () => {
  await using stage = await videoStage()
  const shown = await ordered(stage, 'sandbox/polls=0+pollfail=1+pollstatus=503')
  const stale = await stage.ask(`/v1/videos/${shown}`)
  expect(stale.headers.get('x-dragoman-stale')).toBe('true')
  await stage.ask(`/v1/videos/${shown}`)
  const [, first, second] = await stage.gateway.logged(3)
  expect(first).toMatchObject({
    status: 200,
    level: 'info',
    stale: true,
    error_type: 'upstream_rejected',
    job_status: 'queued',
  })
  expect(second).toMatchObject({ job_status: 'completed' })
  for (const field of ['stale', 'error_type']) expect(second).not.toHaveProperty(field)
})

test('a job that fails is logged with the code of its failure', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a' }] })
  const shown = await ordered(stage, 'sandbox/polls=0+fails=moderation_blocked')
  await stage.ask(`/v1/videos/${shown}`)
  const [created, polled] = await stage.gateway.logged(2)
  expect(created).not.toHaveProperty('job_error')
  expect(polled).toMatchObject({ job_status: 'failed', job_error: 'moderation_blocked' })
})

test('a remix is logged with the video that it is made of', async () => {
  await using stage = await videoStage()
  const source = await ordered(stage, 'sandbox/polls=0')
  const early = await ordered(stage, 'sandbox/polls=9')
  const remix = (id: string) => stage.ask(`/v1/videos/${id}/remix`, post({ prompt: 'in snow' }))
  const { id } = (await (await remix(source)).json()) as { id: string }
  expect((await remix(early)).status).toBe(400)
  const [, , made, refused] = await stage.gateway.logged(4)
  expect(made).toMatchObject({
    route: 'videos.remix',
    job_id: id.replace('video_', ''),
    response_id: id,
    prev_response_id: source,
    attempts: 1,
  })
  expect(refused).toMatchObject({ status: 400, prev_response_id: early, account: 'a', attempts: 0 })
  for (const field of ['job_id', 'job_status']) expect(refused).not.toHaveProperty(field)
})

test('so is one that its account refuses, which makes no job', async () => {
  await using stage = await fakeStage({
    answer: (response, request) =>
      request.url.endsWith('/remix')
        ? answerJson({ error: { message: 'busy' } }, { status: 503 })(response, request)
        : takesVideos(() => ({ status: 'completed' }))(response, request),
  })
  const source = await ordered(stage, 'm')
  await stage.ask(`/v1/videos/${source}/remix`, post({ prompt: 'in snow' }))
  const [, line] = await stage.gateway.logged(2)
  expect(line).toMatchObject({ route: 'videos.remix', prev_response_id: source, attempts: 1 })
  for (const field of ['job_id', 'job_status']) expect(line).not.toHaveProperty(field)
})

test('an operation is logged by the same words', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a', speaks: ['video-operations'] }] })
  const body = post({ instances: [{ prompt: 'a cat' }] })
  const path = '/v1beta/models/sandbox/polls=0:predictLongRunning'
  const { name } = (await (await stage.ask(path, body)).json()) as { name: string }
  const id = name.slice(name.lastIndexOf('/') + 1)
  await stage.ask(`/v1beta/${name}`)
  await (await stage.ask(`/v1beta/files/${id}0:download?alt=media`)).arrayBuffer()
  expect(await stage.gateway.logged(3)).toMatchObject([
    { job_id: id, job_status: 'queued', response_id: name },
    { job_id: id, job_status: 'completed' },
    { route: 'operations.download', job_id: id, job_status: 'completed' },
  ])
})

test('a job of another key is in no line', async () => {
  const keys = ['test', 'other'].map((id) => ({ id, secret: `${id}-secret` }))
  await using stage = await videoStage({ keys })
  const shown = await ordered(stage, 'sandbox/polls=0')
  const headers = { authorization: 'Bearer other-secret' }
  expect((await stage.ask(`/v1/videos/${shown}`, { headers })).status).toBe(404)
  const [, foreign] = await stage.gateway.logged(2)
  for (const field of ['job_id', 'job_status', 'account']) expect(foreign).not.toHaveProperty(field)
})

async function ordered(stage: Pick<VideoStage, 'ask'>, model: string): Promise<string> {
  const created = await stage.ask('/v1/videos', post({ model, prompt: 'a cat' }))
  return ((await created.json()) as { id: string }).id
}
