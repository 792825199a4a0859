import { expect, test } from 'vitest'

import { clientOf, post, videoStage } from './stage.ts'

const keys = [
  { id: 'test', secret: 'test-secret' },
  { id: 'other', secret: 'other-secret' },
]

test('a poller of the Python SDK finds the header and the word that it waits by', async () => {
  await using stage = await videoStage()
  const created = await stage.ask('/v1/videos', post({ model: 'sandbox/polls=1', prompt: 'a' }))
  const { id } = (await created.json()) as { id: string }
  const headers = { 'x-stainless-poll-helper': 'true', 'x-stainless-lang': 'python' }
  const waiting = await stage.ask(`/v1/videos/${id}`, { headers })
  expect(waiting.headers.get('openai-poll-after-ms')).toBe('100')
  expect(await waiting.json()).toMatchObject({ status: 'in_progress' })
  const done = await stage.ask(`/v1/videos/${id}`, { headers })
  expect(done.headers.has('openai-poll-after-ms')).toBe(false)
  expect(await done.json()).toMatchObject({ status: 'completed', progress: 100 })
})

test('a job that waits is `pending`, and `queued` for the official SDKs', async () => {
  await using stage = await videoStage()
  const slow = post({ model: 'sandbox/polls=5+pollfail=9', prompt: 'a' })
  const created = await stage.ask('/v1/videos', slow)
  const { id, status } = (await created.json()) as { id: string; status: string }
  const plain = await stage.ask(`/v1/videos/${id}`)
  const sdk = await stage.openai.videos.retrieve(id)
  expect([status, ((await plain.json()) as { status: string }).status, sdk.status]).toEqual([
    'pending',
    'pending',
    'queued',
  ])
})

test.each([
  ['OpenAI/Python 2.8.0', 'queued'],
  ['AsyncOpenAI/Python 2.8.0', 'queued'],
  ['OpenAI/JS 7.55.0', 'queued'],
  ['OpenAI/Go 3.44.0', 'queued'],
  ['OpenAI/2.9.1 (.NET 10.0.5; Microsoft Windows 10.0.26200)', 'queued'],
  ['my-app OpenAI/2.9.1 (.NET 10.0.5)', 'queued'],
  ['OpenAIClientImpl/Java 4.8.0', 'queued'],
  ['OpenAI::Client/Ruby 0.34.0', 'queued'],
  ['curl/8.5.0', 'pending'],
  ['NotOpenAI/1.0', 'pending'],
  ['', 'pending'],
])('a client that names itself "%s" keeps the id of its paid video: %s', async (agent, status) => {
  await using stage = await videoStage()
  const order = post({ model: 'sandbox/polls=5', prompt: 'a' })
  const headers = { ...(order.headers as object), 'user-agent': agent }
  const created = await stage.ask('/v1/videos', { ...order, headers })
  expect(await created.json()).toMatchObject({ status })
})

test('a key with the own form of errors reads `queued` in each place without a name', async () => {
  const typed = [{ id: 'test', secret: 'test-secret', errors: 'native' as const }]
  await using stage = await videoStage({ keys: typed })
  const created = await stage.ask('/v1/videos', post({ model: 'sandbox/polls=5', prompt: 'a' }))
  const { id, status } = (await created.json()) as { id: string; status: string }
  const listed = await (await stage.ask('/v1/videos')).json()
  expect(status).toBe('queued')
  expect(listed).toMatchObject({ data: [{ id, status: 'queued' }] })
})

test('an account that does not answer leaves the job as it was last known', async () => {
  await using stage = await videoStage()
  const model = 'sandbox/polls=1+pollfail=2+pollstatus=503'
  const { id } = await stage.openai.videos.create({ model, prompt: 'a' })
  for (const [status, stale] of [
    ['pending', 'true'],
    ['pending', 'true'],
    ['in_progress', null],
    ['completed', null],
  ]) {
    const told = await stage.ask(`/v1/videos/${id}`)
    expect([told.status, told.headers.get('x-dragoman-stale')]).toEqual([200, stale])
    expect(await told.json()).toMatchObject({ status })
  }
})

test.each([401, 403, 429, 500])(
  'polls that fail with %i never harm the account',
  async (status) => {
    await using stage = await videoStage()
    const { openai } = stage
    const model = `sandbox/polls=0+pollfail=20+pollstatus=${status}`
    const { id } = await openai.videos.create({ model, prompt: 'a' })
    for (let poll = 0; poll < 10; poll++) {
      expect((await openai.videos.retrieve(id)).status).toBe('queued')
    }
    const other = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'b' })
    expect(other.status).toBe('queued')
  },
)

test('what is unknown, another key’s or expired is not found, whatever is asked of it', async () => {
  let time = Date.now()
  await using stage = await videoStage({ keys, now: () => time })
  const { id } = await stage.openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  const other = { headers: { authorization: 'Bearer other-secret' } }
  const calls = (one: string, init: RequestInit = {}) => [
    stage.ask(`/v1/videos/${one}`, init),
    stage.ask(`/v1/videos/${one}/content`, init),
    stage.ask(`/v1/videos/${one}`, { ...init, method: 'DELETE' }),
  ]
  const unknown = [
    'video_0',
    `video_${'0'.repeat(29)}`,
    id.replace('video_', ''),
    '%00',
    'a'.repeat(5_000),
  ]
  for (const answer of await Promise.all([
    ...calls(id, other),
    ...unknown.flatMap((one) => calls(one)),
  ])) {
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { error: { code: 404, details: [{ code: 'not_found' }] } },
    ])
  }
  expect((await stage.openai.videos.retrieve(id)).status).toBe('completed')
  time += 49 * 60 * 60_000
  for (const answer of await Promise.all(calls(id))) expect(answer.status).toBe(404)
})

test('a job whose account is gone or disabled cannot be told', async () => {
  await using stage = await videoStage({ accounts: [{ id: 'a' }, { id: 'b' }] })
  const { openai, gateway, sandbox } = stage
  const slow = await openai.videos.create({ model: 'sandbox/takes=60000', prompt: 'a' })
  const done = await openai.videos.create({ model: 'sandbox/polls=0', prompt: 'a' })
  await openai.videos.retrieve(done.id)
  const base = { provider: 'sandbox', baseUrl: sandbox.url, models: ['*'] }
  for (const accounts of [
    [{ ...base, id: 'c', apiKey: 'sandbox-key-a' }],
    ['a', 'b'].map((id) => ({ ...base, id, apiKey: `sandbox-key-${id}`, enabled: false })),
    ['a', 'b'].map((id) => ({ ...base, id, apiKey: `sandbox-key-${id}`, speaks: ['chat'] })),
  ]) {
    gateway.reload({ accounts })
    for (const asking of [
      () => openai.videos.retrieve(slow.id),
      () => openai.videos.downloadContent(done.id),
      () => openai.videos.remix(done.id, { prompt: 'x' }),
      () => openai.videos.delete(done.id),
    ]) {
      await expect(asking()).rejects.toMatchObject({ status: 503 })
    }
  }
})

test('jobs are listed page by page and deleted, each key its own', async () => {
  await using stage = await videoStage({ keys })
  const { openai, gateway } = stage
  const ids: string[] = []
  for (let index = 0; index < 5; index++) {
    ids.unshift((await openai.videos.create({ model: 'sandbox/polls=0', prompt: `${index}` })).id)
  }
  const listed = await openai.videos.list({ limit: 2 })
  expect(listed).toMatchObject({ has_more: true, last_id: ids[1] })
  const all: string[] = []
  for await (const video of listed) all.push(video.id)
  expect(all).toEqual(ids)
  const upwards: string[] = []
  for await (const { id } of await openai.videos.list({ limit: 3, order: 'asc' })) upwards.push(id)
  expect(upwards).toEqual(ids.toReversed())
  expect((await clientOf(gateway, 'other-secret').videos.list()).data).toEqual([])

  const [newest = ''] = ids
  expect(await openai.videos.delete(newest)).toEqual({
    id: newest,
    object: 'video.deleted',
    deleted: true,
  })
  await expect(openai.videos.retrieve(newest)).rejects.toMatchObject({ status: 404 })
  expect((await openai.videos.list()).data.map(({ id }) => id)).toEqual(ids.slice(1))
  expect(stage.sandbox.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'order=up', 'after=video_1']) {
    expect((await stage.ask(`/v1/videos?${query}`)).status).toBe(400)
  }
})
