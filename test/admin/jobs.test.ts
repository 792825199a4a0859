import { describe, expect, test } from 'vitest'

import { newJobId } from '../../src/jobs/ids.ts'
import { type Job, jobSeconds } from '../../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../../src/jobs/jobs.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { type AdminGateway, type Page, nodesOf, startAdminGateway } from './admin-gateway.ts'
import { grounds } from './grounds.ts'
import { bearerOf, listAll, refusesForeignCursors, twoKeys } from './listing.ts'

interface Shown {
  readonly id: string
  readonly state: string
  readonly keyId: string
}

const fields = `id kind state keyId accountId upstreamId dialect model progress
  error { code message } createdAt completedAt expiresAt`

const list = `query ($first: Int, $after: String, $filter: JobFilter) {
  jobs(first: $first, after: $after, filter: $filter) {
    edges { node { id state keyId } } pageInfo { hasNextPage endCursor } } }`

const look = `query ($id: ID!, $keyId: ID) { job(id: $id, keyId: $keyId) { ${fields} } }`

const refresh = `mutation ($id: ID!) { refreshJob(input: {id: $id}) { __typename
  ... on RefreshJobSuccess { stale job { ${fields} } } ... on Conflict { message } } }`

const forget = `mutation ($id: ID!) { forgetJob(input: {id: $id, reason: "asked for"}) {
  __typename ... on ForgetJobSuccess { id } } }`

/** A gateway with one account, which answers polls with `state`. */
async function start(store: Store, state: () => { status?: number; body?: object } = () => ({})) {
  const account = await startFakeAccount((response, request) => {
    const taken = { id: 'vid_1', object: 'video', status: 'queued', progress: 0 }
    if (request.method === 'POST') return answerJson(taken)(response, request)
    const { status = 200, body } = state()
    return answerJson({ ...taken, ...body }, { status })(response, request)
  })
  const gateway = await startAdminGateway({
    store,
    keys: twoKeys,
    accounts: [
      {
        id: 'studio',
        provider: 'openai',
        baseUrl: `${account.url}/v1`,
        apiKey: 'account-canary',
        models: ['camera'],
        speaks: ['videos'],
      },
    ],
  })
  return {
    ...gateway,
    account,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await account[Symbol.asyncDispose]()
    },
  }
}

async function order({ url }: AdminGateway, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...bearerOf(key) },
    body: JSON.stringify({ model: 'camera', prompt: 'prompt-canary' }),
  })
  return ((await response.json()) as { id: string }).id
}

function poll({ url }: AdminGateway, key: string, id: string): Promise<Response> {
  return fetch(`${url}/v1/videos/${id}`, { headers: bearerOf(key) })
}

function jobsOf(gateway: AdminGateway, filter = {}, first = 2): Promise<Shown[]> {
  return listAll<Shown>(gateway, { query: list, field: 'jobs' }, filter, first)
}

describe.each(grounds)('on $name', ({ open }) => {
  test('the jobs of all keys are listed and found by the id that their client has', async () => {
    await using opened = await open()
    await using gateway = await start(opened.store)
    const first = await order(gateway, 'mine')
    const second = await order(gateway, 'mine')
    const other = await order(gateway, 'other')
    const bare = (id: string) => id.slice('video_'.length)
    const idsOf = async (filter: object) => (await jobsOf(gateway, filter)).map(({ id }) => id)
    expect(await idsOf({})).toEqual([second, first, other].map(bare))
    expect(await idsOf({ keyId: 'mine' })).toEqual([second, first].map(bare))
    expect(await idsOf({ keyId: 'min' })).toEqual([])
    expect(await idsOf({ accountId: 'studio' })).toHaveLength(3)
    expect(await idsOf({ accountId: 'nobody' })).toEqual([])
    expect(await idsOf({ state: 'QUEUED', kind: 'VIDEO', keyId: 'other' })).toEqual([bare(other)])
    expect(await idsOf({ state: 'FAILED' })).toEqual([])
    for (const id of [other, bare(other)]) {
      const { data } = await gateway.graph<{ job: Shown }>(look, { id })
      expect(data.job).toMatchObject({
        id: bare(other),
        kind: 'VIDEO',
        state: 'QUEUED',
        keyId: 'other',
        accountId: 'studio',
        upstreamId: 'vid_1',
        dialect: 'videos',
        model: 'camera',
        progress: 0,
        error: null,
        completedAt: null,
      })
      expect(JSON.stringify(data)).not.toContain('canary')
    }
    const foreign = await gateway.graph<{ job: null }>(look, { id: other, keyId: 'mine' })
    expect(foreign).toMatchObject({ data: { job: null }, errors: [] })
  })

  test('an operator refreshes a job: its client and the audit log have what the account says', async () => {
    await using opened = await open()
    let state: { status?: number; body?: object } = {
      body: { status: 'in_progress', progress: 40 },
    }
    await using gateway = await start(opened.store, () => state)
    const id = await order(gateway, 'mine')
    expect((await gateway.graph(refresh, { id }, 'viewer')).errors).toHaveLength(1)
    const one = await gateway.graph<{ refreshJob: object }>(refresh, { id }, 'operator')
    expect(one.data.refreshJob).toMatchObject({
      __typename: 'RefreshJobSuccess',
      stale: false,
      job: { state: 'IN_PROGRESS', progress: 40 },
    })
    state = { status: 500, body: { error: { message: 'account-canary' } } }
    const away = await gateway.graph<{ refreshJob: object }>(refresh, { id }, 'operator')
    expect(away.data.refreshJob).toMatchObject({ stale: true, job: { progress: 40 } })
    const error = { code: 'moderation_blocked', message: 'no account-canary' }
    state = { body: { status: 'failed', error } }
    const failed = await gateway.graph<{ refreshJob: object }>(refresh, { id }, 'operator')
    expect(failed.data.refreshJob).toMatchObject({
      job: { state: 'FAILED', error: { code: 'moderation_blocked' } },
    })
    expect(JSON.stringify(failed)).not.toContain('canary')
    const asked = gateway.account.requests.filter(({ method }) => method === 'GET')
    expect(asked.map(({ url }) => url)).toEqual(asked.map(() => '/v1/videos/vid_1'))
    expect(asked[0]?.headers['authorization']).toBe('Bearer account-canary')
    const polled = (await (await poll(gateway, 'mine', id)).json()) as object
    expect(polled).toMatchObject({ status: 'failed' })
    expect(asked).toHaveLength(3)
    const { data } = await gateway.graph<{ audit: Page<object> }>(
      '{ audit { edges { node { action target { type } result before after } } } }',
    )
    expect(nodesOf(data.audit)[0]).toEqual({
      action: 'job.refresh',
      target: { type: 'job' },
      result: 'DONE',
      before: { status: 'in_progress', progress: 40 },
      after: { status: 'failed', progress: 40 },
    })
  })

  test('an operator forgets a job: its client does not find it any more', async () => {
    await using opened = await open()
    await using gateway = await start(opened.store)
    const id = await order(gateway, 'mine')
    const kept = await order(gateway, 'mine')
    expect((await gateway.graph(forget, { id }, 'viewer')).errors).toHaveLength(1)
    const done = await gateway.graph<{ forgetJob: object }>(forget, { id }, 'operator')
    expect(done.data.forgetJob).toMatchObject({ __typename: 'ForgetJobSuccess' })
    const again = await gateway.graph<{ forgetJob: object }>(forget, { id }, 'operator')
    expect(again.data.forgetJob).toEqual({ __typename: 'NotFound' })
    expect((await poll(gateway, 'mine', id)).status).toBe(404)
    expect((await poll(gateway, 'mine', kept)).status).toBe(200)
  })

  test('a page examines a bounded number of jobs, and a walk finds all of them', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    const ids = await seed(opened.store, 4_500)
    const empty = await gateway.graph<{ jobs: Page<Shown> }>(list, { filter: { state: 'FAILED' } })
    expect(empty.data.jobs).toMatchObject({ edges: [], pageInfo: { hasNextPage: true } })
    expect(await jobsOf(gateway, { accountId: 'rare' }, 100)).toHaveLength(1)
    const all = await jobsOf(gateway, {}, 100)
    expect(all.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    const { data } = await gateway.graph<{ job: Shown }>(look, { id: ids.at(-1) })
    expect(data.job.id).toBe(ids.at(-1))
  }, 60_000)

  test('damaged and expired jobs, and cursors from elsewhere, neither mislead nor end a list', async () => {
    await using opened = await open()
    await using gateway = await startAdminGateway({ store: opened.store })
    const [id] = await seed(opened.store, 1)
    const records = opened.store.records<unknown>(jobsNamespace, { listed: true })
    await records.set('damaged', 1)
    await records.set('key-0 zzz', { id: 7 })
    await seed(opened.store, 1, { createdAt: 1, expiresAt: 2 })
    expect(await jobsOf(gateway)).toMatchObject([{ id }])
    await refusesForeignCursors(gateway, list)
    for (const unknown of ['', 'video_', newJobId(1), 'x'.repeat(10_000)]) {
      const { data, errors } = await gateway.graph(look, { id: unknown })
      expect([data, errors]).toEqual([{ job: null }, []])
    }
  })
})

test('a job that the store has not taken yet is found; a store that is away is no missing job', async () => {
  const store = breakable(openMemoryStore())
  await using gateway = await start(store)
  store.broken.writes = true
  const id = await order(gateway, 'mine')
  const { data } = await gateway.graph<{ job: Shown }>(look, { id })
  expect(data.job).toMatchObject({ keyId: 'mine' })
  store.broken.reads = true
  const away = await gateway.graph(look, { id: newJobId(1) })
  expect(away.errors[0]?.extensions?.code).toBe('STORE_UNAVAILABLE')
  expect((await gateway.graph(list)).errors[0]?.extensions?.code).toBe('STORE_UNAVAILABLE')
  store.broken.writes = false
  const act = await gateway.graph<{ forgetJob: object }>(forget, { id: newJobId(1) })
  expect(act.data.forgetJob).toEqual({ __typename: 'StoreUnavailable' })
})

test('a job whose account has left is no job that can be refreshed', async () => {
  await using opened = await grounds[0]!.open()
  await using gateway = await start(opened.store)
  const [id] = await seed(opened.store, 1, { accountId: 'gone' })
  const { data } = await gateway.graph<{ refreshJob: { message: string } }>(refresh, { id })
  expect(data.refreshJob).toMatchObject({ __typename: 'Conflict' })
  expect(data.refreshJob.message).toContain('no longer configured')
  const [strange] = await seed(opened.store, 1, { dialect: 'of no plugin' })
  const other = await gateway.graph<{ refreshJob: object }>(refresh, { id: strange })
  expect(other.data.refreshJob).toMatchObject({ __typename: 'Conflict' })
})

/** Jobs of 30 keys; one of them is of the account `rare`. */
async function seed(store: Store, count: number, about: Partial<Job> = {}): Promise<string[]> {
  const jobs = createJobs({
    records: store.records<Job>(jobsNamespace, { listed: true }),
    log: { error() {}, warn() {} },
  })
  const ids: string[] = []
  const made: Promise<void>[] = []
  const now = Date.now()
  for (let index = 0; index < count; index++) {
    const createdAt = Math.floor(now / 1_000)
    const id = newJobId(now + index)
    ids.push(id)
    made.push(
      jobs.create({
        id,
        kind: 'video',
        keyId: `key-${index % 30}`,
        accountId: index === 4_321 ? 'rare' : 'studio',
        dialect: 'videos',
        model: 'camera',
        requested: 'camera',
        upstreamId: 'vid_1',
        status: 'queued',
        progress: 0,
        createdAt,
        expiresAt: createdAt + jobSeconds,
        prompt: 'a cat',
        seconds: '4',
        size: '720x1280',
        ...about,
      }),
    )
    if (made.length === 50) await Promise.all(made.splice(0))
  }
  await Promise.all(made)
  return ids
}
