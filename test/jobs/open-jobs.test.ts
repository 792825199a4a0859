import { expect, test } from 'vitest'

import {
  type JobAnswer,
  type OpenJob,
  createOpenJobs,
  openJobsNamespace,
} from '../../src/jobs/open-jobs.ts'
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
  estimate: {
    inputTokens: 3,
    outputTokens: 5,
    cost: 8_000,
    most: { outputTokens: 50, cost: 53_000 },
  },
}

const end = { status: 'completed', spend: { usage: 'reported', cost: 1 } } as const

/** Two processes on a store, whose accounts answer so. */
function processes(now?: () => number, ask: () => JobAnswer = () => 'gone') {
  const store = openMemoryStore()
  const records = store.records<OpenJob>(openJobsNamespace, { listed: true })
  const ended: unknown[] = []
  const all = [0, 1].map(() => {
    const jobs = createOpenJobs({ records, now })
    jobs.onEnd((one, { usage }) => ended.push([one.id, one.status, usage]))
    jobs.askWith(() => Promise.resolve(ask()))
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

test('an account that is away is asked once in a walk, and its jobs are charged their most half a day later', async () => {
  let now = 1_000_000 + 86_400_000
  let asked = 0
  const { one, other, ended } = processes(
    () => now,
    () => {
      asked++
      return 'silent'
    },
  )
  for (const id of ['resp_1', 'resp_2', 'resp_3']) await one.open({ ...name, id }, { ...job, id })
  await one.open({ ...name, id: 'resp_4' }, { ...job, id: 'resp_4', accountId: 'two' })
  const spends: unknown[] = []
  one.onEnd((_job, spend) => spends.push(spend))
  await Promise.all([one.expire(), one.expire()])
  expect([asked, ended]).toEqual([2, []])
  now += 43_200_000
  // A process that has just started may have no network yet.
  await other.expire()
  expect(ended).toEqual([])
  await one.expire()
  expect(ended).toHaveLength(4)
  expect(spends).toContainEqual({
    usage: 'estimated',
    tokens: { inputTokens: 3, outputTokens: 50 },
    cost: 53_000,
  })
})

test('a job ends as its account says, also where it is asked before a deletion', async () => {
  let answer: JobAnswer = 'running'
  const { one, other, ended } = processes(undefined, () => answer)
  await one.open(name, job)
  await one.look(name)
  expect(ended).toEqual([])
  answer = end
  await Promise.all([one.look(name), other.look(name)])
  expect(ended).toEqual([['exchange-1', 'completed', 'reported']])
})

test('output that clients have seen in parts is noted as a whole, of open jobs alone', async () => {
  const { one, records } = processes()
  await one.note(name, 5)
  await one.open(name, job)
  await Promise.all([one.note(name, 5), one.note(name, 7)])
  const seen: unknown[] = []
  await one.end(name, (known) => {
    seen.push(known.seenTokens)
    return end
  })
  expect([seen, await records.list()]).toEqual([[12], []])
})
