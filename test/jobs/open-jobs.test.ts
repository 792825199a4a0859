import { expect, test } from 'vitest'

import { type OpenJob, createOpenJobs, openJobsNamespace } from '../../src/jobs/open-jobs.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'

const name = { kind: 'response', keyId: 'a', id: 'resp_1' } as const

const job: OpenJob = {
  id: 'exchange-1',
  kind: 'response',
  keyId: 'a',
  accountId: 'one',
  dialect: 'responses',
  model: 'm',
  upstreamModel: 'm',
  createdAt: 1_000,
  estimate: { inputTokens: 3, outputTokens: 5, cost: 8_000 },
}

const end = { status: 'completed', spend: { usage: 'reported', cost: 1 } } as const

/** Two processes on a store. */
function processes(now?: () => number) {
  const store = openMemoryStore()
  const records = store.records<OpenJob>(openJobsNamespace, { listed: true })
  const ended: unknown[] = []
  const all = [0, 1].map(() => {
    const jobs = createOpenJobs({ records, now })
    jobs.onEnd((one, { usage }) => ended.push([one.id, one.status, usage]))
    return jobs
  })
  return { records, one: all[0]!, other: all[1]!, ended }
}

test('a job ends once, also where two processes learn of its end and others find it expired', async () => {
  const { one, other, ended } = processes()
  await one.open(name, job)
  await Promise.all([one, other, one, other].map((each) => each.end(name, () => end)))
  await Promise.all([one.expire(), other.expire()])
  expect(ended).toEqual([['exchange-1', 'completed', 'reported']])
})

test('a job expires once, and not before its day is over', async () => {
  let now = 1_000_000 + 86_399_000
  const { one, other, ended } = processes(() => now)
  await one.open(name, job)
  await one.expire()
  expect(ended).toEqual([])
  now += 1_000
  await Promise.all([one.expire(), other.expire()])
  await one.end(name, () => end)
  expect(ended).toEqual([['exchange-1', 'incomplete', 'estimated']])
})

test('a job of another key, or of another kind, stays open', async () => {
  const { one, ended } = processes()
  await one.open(name, job)
  await one.end({ ...name, keyId: 'b' }, () => end)
  await one.end({ ...name, kind: 'video' }, () => end)
  expect(ended).toEqual([])
})

test('a job ends while the store has not taken it yet', async () => {
  const { records } = processes()
  const set = () => Promise.reject(new StoreUnavailable('away'))
  const jobs = createOpenJobs({ records: { ...records, set } })
  const ended: string[] = []
  jobs.onEnd(({ id }) => ended.push(id))
  const opened = jobs.open(name, job)
  await jobs.end(name, () => end)
  await opened
  await jobs.close()
  expect(ended).toEqual(['exchange-1'])
})

test('a damaged record ends no job, and hides no other', async () => {
  const { records, one, ended } = processes()
  await records.set('a damaged record', { id: 'x', estimate: {} } as never)
  await one.open(name, job)
  await one.expire()
  expect(ended).toEqual([['exchange-1', 'incomplete', 'estimated']])
})
