import { expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
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
          models: ['m'],
          speaks: ['chat', 'messages', 'files', 'message-batches', 'videos'],
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

test('batches are listed behind the videos, and found by the id that their client has', async () => {
  await using stage = await start()
  const video = await stage.video('mine')
  const batch = await stage.batch('mine')
  const messages = await stage.messageBatch('other')
  const listed = (filter: object, first = 1) =>
    listAll<Shown>(stage, { query: list, field: 'jobs' }, filter, first)
  const ids = async (filter: object) => (await listed(filter)).map(({ id }) => id)
  expect(await ids({})).toEqual([video, batch, messages].map(bare))
  expect(await listed({}, 100)).toHaveLength(3)
  expect(await ids({ kind: 'BATCH' })).toEqual([bare(batch)])
  expect(await ids({ kind: 'MESSAGE_BATCH' })).toEqual([bare(messages)])
  expect(await ids({ kind: 'VIDEO' })).toEqual([bare(video)])
  expect(await ids({ keyId: 'mine' })).toEqual([video, batch].map(bare))
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
  const foreign = await stage.graph<{ job: null }>(look, { id: batch, keyId: 'other' })
  expect(foreign).toMatchObject({ data: { job: null }, errors: [] })
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
