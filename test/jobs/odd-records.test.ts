import { expect, test } from 'vitest'

import type { Job } from '../../src/jobs/job.ts'
import { createJobs, jobsNamespace } from '../../src/jobs/jobs.ts'
import { mirrored } from '../../src/jobs/ids.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { aJob } from './contract.ts'

/** A store whose records of jobs a test writes past the gateway, as an older version would. */
function storeOf(...written: (readonly [job: Job, record: unknown])[]) {
  const store = openMemoryStore()
  const records = store.records<unknown>(jobsNamespace, { listed: true })
  const put = written.map(([job, record]) =>
    records.set(`${job.keyId} ${mirrored(job.id)}`, record, { ttlMs: 60_000 }),
  )
  return { store, records, written: Promise.all(put) }
}

/** Jobs over such a store, and what they log. */
async function jobsWith(...records: (readonly [job: Job, record: unknown])[]) {
  const { store, written } = storeOf(...records)
  await written
  const warnings: object[] = []
  const log = { error() {}, warn: (_: string, about: object = {}) => void warnings.push(about) }
  const jobs = createJobs({
    records: store.records<Job>(jobsNamespace, { listed: true }),
    log,
  })
  return { jobs, warnings }
}

const noJobs = [
  null,
  7,
  'text',
  [],
  {},
  { id: 7 },
  { ...aJob(), createdAt: 'now' },
  { ...aJob(), createdAt: 1e15 },
  { ...aJob(), id: 'x' },
  { ...aJob(), upstreamId: ' ' },
]

test('a record that is no job hides no other job, and the log names it', async () => {
  const good = aJob()
  const bad = noJobs.map((record) => [aJob(), record] as const)
  const { jobs, warnings } = await jobsWith(...bad, [good, good])
  const page = await jobs.list('key-a', { limit: 10, order: 'desc' })
  expect(page).toEqual({ jobs: [good], hasMore: false })
  for (const [job] of bad) {
    expect(await jobs.find(job.id, 'key-a')).toBeUndefined()
    expect(await jobs.update(job, (known) => ({ ...known, progress: 7 }))).toBeUndefined()
  }
  expect(warnings).toEqual([{ key: expect.stringMatching(/^key-a /) }])
})

const odd = [null, 7, 1.5, -1, 1e15, 1e300, '', 'text', true, [], {}, ['x'], { a: 1 }]

test.each([
  'status',
  'progress',
  'completedAt',
  'expiresAt',
  'prompt',
  'requested',
  'seconds',
  'size',
  'remixedFrom',
  'error',
  'samples',
  'withheld',
  'extras',
])('a record with an odd %s is a job all the same, which every client can read', async (field) => {
  const done: Job = {
    ...aJob({ keyId: 'test', accountId: 'a' }),
    status: 'completed',
    progress: 100,
    completedAt: Math.floor(Date.now() / 1_000),
    samples: [{ uri: 'files/one' }],
  }
  const records = odd.map((value, index) => {
    const job = { ...aJob({ keyId: 'test' }), ...done, id: aJob({}).id }
    return [job, { ...job, [field]: value, index }] as const
  })
  const { store, written } = storeOf(...records)
  await written
  await using account = await startFakeAccount(
    answerJson({ id: 'video_123', object: 'video', status: 'in_progress' }),
  )
  await using gateway = await createTestGateway({
    store,
    publicUrl: 'https://gateway.example',
    accounts: [
      {
        id: 'a',
        provider: 'openai',
        baseUrl: `${account.url}/v1`,
        apiKey: 'the-secret',
        models: ['*'],
        speaks: ['videos'],
      },
    ],
  })
  const headers = { authorization: `Bearer ${gateway.key}` }
  for (const [{ id }, record] of records) {
    for (const path of [`/v1/videos/video_${id}`, `/v1beta/operations/${id}`]) {
      const { status } = await fetch(gateway.url + path, { headers })
      expect([record, path, status]).toEqual([record, path, 200])
    }
    const { status } = await fetch(`${gateway.url}/v1beta/files/${id}0`, { headers })
    expect(status).toBeLessThan(500)
  }
  const list = await fetch(`${gateway.url}/v1/videos`, { headers })
  expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(odd.length)
})
