import { expect, test } from 'vitest'

import { finished, post, type VideoStage, videoStage } from './stage.ts'

const gone = (stage: VideoStage) => [{ ...base(stage), id: 'c' }]
const disabled = (stage: VideoStage) => [{ ...base(stage), id: 'a', enabled: false }]

test.each([
  ['is not configured any more', gone],
  ['is disabled', disabled],
])('an account that has a job and %s is named where it is missed', async (_, accounts) => {
  await using stage = await videoStage()
  const { openai, gateway } = stage
  const model = 'sandbox/takes=60000'
  const { id } = await openai.videos.create({ model, prompt: 'a' })
  gateway.reload({ accounts: accounts(stage) })
  for (const [path, init] of [
    [id, {}],
    [`${id}/content`, {}],
    [id, { method: 'DELETE' }],
    [`${id}/remix`, post({ prompt: 'x' })],
  ] as const) {
    const answer = await stage.ask(`/v1/videos/${path}`, init)
    expect([answer.status, answer.headers.get('x-dragoman-account')]).toEqual([503, 'a'])
  }
  const [, ...lines] = await gateway.logged(5)
  const about = { job_id: id.replace('video_', '') }
  const named = [about, about, about, { prev_response_id: id }]
  const refused = { error_type: 'owner_unavailable', account: 'a', attempts: 0 }
  expect(lines).toMatchObject(named.map((job) => ({ ...refused, model_requested: model, ...job })))
})

test('what is known of a finished job names its account, though nobody is asked', async () => {
  await using stage = await videoStage()
  const { openai } = stage
  const { id } = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  await finished(openai, id)
  const asked = stage.sandbox.requests.length
  const known = await stage.ask(`/v1/videos/${id}`)
  expect(known.headers.get('x-dragoman-account')).toBe('a')
  expect(stage.sandbox.requests).toHaveLength(asked)
  const [line] = (await stage.gateway.logged(3)).slice(-1)
  expect(line).toMatchObject({ account: 'a', provider: 'sandbox', attempts: 0 })
})

function base({ sandbox }: VideoStage) {
  return { provider: 'sandbox', baseUrl: sandbox.url, apiKey: 'sandbox-key-a', models: ['*'] }
}
