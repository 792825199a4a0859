import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
import { follow } from './live-client.ts'
import { bearerOf, listAll, twoKeys } from './listing.ts'

interface Shown {
  readonly id: string
  readonly kind: string
  readonly state: string
}

const fields = `id kind state keyId accountId upstreamId dialect model progress
  counts { total completed failed } completedAt expiresAt`

const list = `query ($first: Int, $after: String, $filter: JobFilter) {
  jobs(first: $first, after: $after, filter: $filter) {
    edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`

const look = `query ($id: ID!, $keyId: ID) { job(id: $id, keyId: $keyId) { ${fields} } }`

const done: Readonly<Record<string, string>> = {
  refreshJob: `... on RefreshJobSuccess { stale job { ${fields} } }`,
  cancelJob: `... on CancelJobSuccess { job { ${fields} } }`,
}

const act = (name: string, more = '') => `mutation ($id: ID!) {
  ${name}(input: {id: $id${more}}) { __typename ${done[name] ?? ''} ... on Conflict { message } } }`

const reason = ', reason: "asked for"'
const request = {
  model: 'm',
  messages: [{ role: 'user', content: 'content-canary' }],
  max_tokens: 9,
}
const line = { custom_id: '1', method: 'POST', url: '/v1/chat/completions', body: request }

async function start() {
  await using starting = new AsyncDisposableStack()
  const sandbox = starting.use(await startSandbox())
  const gateway = starting.use(
    await startAdminGateway({
      keys: twoKeys,
      accounts: [
        {
          id: 'a',
          provider: 'sandbox',
          baseUrl: sandbox.url,
          apiKey: 'sandbox-key-a',
          models: ['m', 'sandbox/*'],
          speaks: ['chat', 'messages', 'responses', 'files', 'message-batches', 'videos'],
        },
      ],
    }),
  )
  const started = starting.move()
  const ask = async (key: string, path: string, body: object, headers: object = {}) => {
    const isForm = body instanceof FormData
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: {
        ...bearerOf(key),
        ...headers,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    })
    return (await response.json()) as { id: string }
  }
  return {
    ...gateway,
    async batch(key: string) {
      const form = new FormData()
      form.append('purpose', 'batch')
      form.append('file', new File([JSON.stringify(line)], 'lines.jsonl'))
      const { id: input_file_id } = await ask(key, '/v1/files', form)
      const order = { input_file_id, endpoint: line.url, completion_window: '24h' }
      return (await ask(key, '/v1/batches', order)).id
    },
    async messageBatch(key: string) {
      const headers = { 'anthropic-version': '2023-06-01' }
      const order = { requests: [{ custom_id: '1', params: request }] }
      return (await ask(key, '/v1/messages/batches', order, headers)).id
    },
    /** A response in the background, which runs for 40 seconds once the account is asked for it. */
    async response(key: string) {
      const order = { model: 'sandbox/words=2000+pace=20', input: 'x', background: true }
      return (await ask(key, '/v1/responses', order)).id
    },
    video: async (key: string) => (await ask(key, '/v1/videos', { model: 'm', prompt: 'x' })).id,
    async act(query: string, id: string, role: 'viewer' | 'operator' = 'operator') {
      const { data, errors } = await gateway.graph<Record<string, Record<string, unknown>>>(
        query,
        { id },
        role,
      )
      return { done: Object.values(data ?? {})[0], errors }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

const bare = (id: string) => id.replace(/^\w+_/, '')

test('batches and responses are listed behind the videos, and found by the id that their client has', async () => {
  await using stage = await start()
  const video = await stage.video('mine')
  const batch = await stage.batch('mine')
  const messages = await stage.messageBatch('other')
  const response = await stage.response('mine')
  const listed = (filter: object, first = 1) =>
    listAll<Shown>(stage, { query: list, field: 'jobs' }, filter, first)
  const ids = async (filter: object) => (await listed(filter)).map(({ id }) => id)
  expect(await ids({})).toEqual([...[video, batch, messages].map(bare), response])
  expect(await listed({}, 100)).toHaveLength(4)
  expect(await ids({ kind: 'BATCH' })).toEqual([bare(batch)])
  expect(await ids({ kind: 'MESSAGE_BATCH' })).toEqual([bare(messages)])
  expect(await ids({ kind: 'VIDEO' })).toEqual([bare(video)])
  expect(await ids({ kind: 'RESPONSE' })).toEqual([response])
  expect(await ids({ keyId: 'mine' })).toEqual([...[video, batch].map(bare), response])
  expect(await ids({ accountId: 'nobody' })).toEqual([])
  for (const [id, kind, keyId] of [
    [batch, 'BATCH', 'mine'],
    [messages, 'MESSAGE_BATCH', 'other'],
  ] as const)
    for (const shown of [id, bare(id)]) {
      const { data } = await stage.graph<{ job: Shown }>(look, { id: shown })
      expect(data.job).toMatchObject({ id: bare(id), kind, keyId, accountId: 'a', model: 'm' })
      expect(JSON.stringify(data)).not.toContain('canary')
    }
  const running = { id: response, kind: 'RESPONSE', state: 'IN_PROGRESS', keyId: 'mine' }
  expect((await stage.graph(look, { id: response })).data).toMatchObject({ job: running })
  for (const id of [batch, response]) {
    const foreign = await stage.graph<{ job: null }>(look, { id, keyId: 'other' })
    expect(foreign).toMatchObject({ data: { job: null }, errors: [] })
  }
})

test.each(['batch', 'messageBatch'] as const)('an operator asks for a %s', async (kind) => {
  await using stage = await start()
  const id = await stage[kind]('mine')
  expect((await stage.act(act('refreshJob'), id, 'viewer')).errors).toHaveLength(1)
  await expect
    .poll(async () => (await stage.act(act('refreshJob'), id)).done)
    .toMatchObject({
      __typename: 'RefreshJobSuccess',
      stale: false,
      job: { state: 'COMPLETED', progress: 100, counts: { total: 1, completed: 1, failed: 0 } },
    })
  // The files of a batch are found by its client's own look-up.
  const path = kind === 'batch' ? '/v1/batches' : '/v1/messages/batches'
  const headers = {
    ...bearerOf('mine'),
    ...(kind !== 'batch' && { 'anthropic-version': '2023-06-01' }),
  }
  const found = (await (await fetch(`${stage.url}${path}/${id}`, { headers })).json()) as object
  expect(Object.values(found)).toContain(kind === 'batch' ? 'completed' : 'ended')
  expect(JSON.stringify(found)).toMatch(/"output_file_id":"file-|results_url":"http/)
})

test.each(['batch', 'messageBatch'] as const)('an operator cancels a %s', async (kind) => {
  await using stage = await start()
  const id = await stage[kind]('mine')
  const cancel = act('cancelJob', reason)
  expect((await stage.act(cancel, id, 'viewer')).errors).toHaveLength(1)
  expect((await stage.act(cancel, id)).done).toMatchObject({ __typename: 'CancelJobSuccess' })
  await expect
    .poll(async () => (await stage.act(act('refreshJob'), id)).done)
    .toMatchObject({ job: { state: 'CANCELLED' } })
  const { data } = await stage.graph<{ audit: Page<{ action: string }> }>(
    '{ audit { edges { node { action } } } }',
  )
  expect(nodesOf(data.audit).map(({ action }) => action)).toContain('job.cancel')
})

test('an operator cancels a response in the background, which is no job from then on', async () => {
  await using stage = await start()
  const id = await stage.response('mine')
  expect((await stage.act(act('forgetJob', reason), id)).done).toEqual({
    __typename: 'Conflict',
    message: 'A response is charged at its end: cancel it.',
  })
  expect((await stage.act(act('refreshJob'), id)).done).toMatchObject({
    stale: false,
    job: { state: 'IN_PROGRESS', progress: 0 },
  })
  expect((await stage.act(act('cancelJob', reason), id)).done).toMatchObject({
    __typename: 'CancelJobSuccess',
    job: { id, state: 'CANCELLED' },
  })
  await expect.poll(async () => (await stage.graph(look, { id })).data).toEqual({ job: null })
})

test('each kind of job has its events, once a change', async () => {
  await using stage = await start()
  using all = follow(stage.adminUrl, stage.token('viewer'), ['JOBS'])
  await until(() => stage.services.processes.live.wanted.JOBS)
  const changes = (id: string) =>
    all.events
      .filter(({ jobId }) => jobId && id.endsWith(jobId))
      .map(({ kind, state, forgotten }) => [kind, state, forgotten])
  const poll = async (path: string) => {
    const headers = { ...bearerOf('mine'), 'anthropic-version': '2023-06-01' }
    return (await fetch(stage.url + path, { headers })).text()
  }
  for (const [kind, path, first] of [
    ['batch', '/v1/batches', 'QUEUED'],
    ['messageBatch', '/v1/messages/batches', 'IN_PROGRESS'],
  ] as const) {
    const id = await stage[kind]('mine')
    await expect.poll(() => poll(`${path}/${id}`)).toMatch(/"(completed|ended)"/)
    await poll(`${path}/${id}`)
    await stage.act(act('forgetJob', reason), id)
    await until(() => changes(id).some(([, , forgotten]) => forgotten))
    const word = kind === 'batch' ? 'BATCH' : 'MESSAGE_BATCH'
    const seen = changes(id)
    expect(seen.filter((one, at) => at === 0 || String(one) !== String(seen[at - 1]))).toEqual(seen)
    expect(seen.at(0)).toEqual([word, first, false])
    expect(seen.slice(-2)).toEqual([
      [word, 'COMPLETED', false],
      [word, 'COMPLETED', true],
    ])
  }
  const id = await stage.response('mine')
  await poll(`/v1/responses/${id}`)
  await stage.act(act('cancelJob', reason), id)
  await until(() => changes(id).length === 2)
  expect(changes(id)).toEqual([
    ['RESPONSE', 'IN_PROGRESS', false],
    ['RESPONSE', 'CANCELLED', true],
  ])
})

test('a video cannot be cancelled, and an unknown job is none', async () => {
  await using stage = await start()
  const cancel = act('cancelJob', reason)
  expect((await stage.act(cancel, await stage.video('mine'))).done).toEqual({
    __typename: 'Conflict',
    message: 'A video cannot be cancelled.',
  })
  expect((await stage.act(cancel, 'x'.repeat(29))).done).toEqual({ __typename: 'NotFound' })
})

test.each(['batch', 'messageBatch'] as const)('an operator forgets a %s', async (kind) => {
  await using stage = await start()
  const id = await stage[kind]('mine')
  expect((await stage.act(act('forgetJob', reason), id)).done).toEqual({
    __typename: 'ForgetJobSuccess',
  })
  expect((await stage.graph(look, { id })).data).toEqual({ job: null })
})
