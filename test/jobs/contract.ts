import { expect, test } from 'vitest'

import { newJobId } from '../../src/jobs/ids.ts'
import { type Job, jobSeconds } from '../../src/jobs/job.ts'
import { type Jobs, createJobs, jobsNamespace } from '../../src/jobs/jobs.ts'
import type { Store } from '../../src/stores/store.ts'
import type { OpenedStore } from '../stores/contract.ts'

export function jobsOver(store: Pick<Store, 'records'>, now?: () => number): Jobs {
  return createJobs({
    records: store.records<Job>(jobsNamespace, { listed: true }),
    log: { error() {}, warn() {} },
    ...(now && { now }),
  })
}

let made = 0

/** A job, each a millisecond younger than the one before. */
export function aJob(about: Partial<Job> = {}): Job {
  const time = Date.now() + made++
  return {
    id: newJobId(time),
    kind: 'video',
    keyId: 'key-a',
    accountId: 'account',
    dialect: 'videos',
    model: 'camera',
    requested: 'camera',
    upstreamId: 'video_123',
    status: 'queued',
    progress: 0,
    createdAt: Math.floor(time / 1_000),
    expiresAt: Math.floor(time / 1_000) + jobSeconds,
    prompt: 'a cat',
    seconds: '4',
    size: '720x1280',
    ...about,
  }
}

/** What jobs must do over every store. */
export function jobsContract(open: () => Promise<OpenedStore>): void {
  test('a job is found as it was made, by its own key alone', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const about = { team: 'red', model: 'camera-1', shownModel: 'camera-*' }
    const job = aJob({ ...about, extras: { quality: ['high'] }, samples: [{ uri: 'u' }] })
    await jobs.create(job)
    expect(await jobs.find(job.id, 'key-a')).toStrictEqual(job)
    expect(await jobs.find(job.id, 'key-b')).toBeUndefined()
    expect(await jobs.find(newJobId(Date.now()), 'key-a')).toBeUndefined()
  })

  test('an id that no job can have is no job, whatever it is', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    for (const id of ['', ' ', '\ud800', '..', 'x'.repeat(100_000), 'VIDEO']) {
      expect(await jobs.find(id, 'key-a')).toBeUndefined()
    }
  })

  test('what changes is kept, and the rest stays', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const job = aJob()
    await jobs.create(job)
    const changed = await jobs.update(job, (known) => ({
      ...known,
      status: 'in_progress',
      progress: 40,
    }))
    expect(changed).toStrictEqual({ ...job, status: 'in_progress', progress: 40 })
    expect(await jobs.find(job.id, 'key-a')).toStrictEqual(changed)
  })

  test('who changes a job sees what others have made of it, and may leave it so', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const job = aJob()
    await jobs.create(job)
    const further = () =>
      jobs.update(job, (known) => ({ ...known, progress: Math.max(known.progress, 10) + 10 }))
    await Promise.all([further(), further(), further()])
    const kept = await jobs.update(job, (known) => known)
    expect(kept).toStrictEqual({ ...job, progress: 40 })
    expect(await jobs.find(job.id, 'key-a')).toStrictEqual(kept)
  })

  test('a job that was deleted is not made again by a change', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const job = aJob()
    await jobs.create(job)
    await jobs.remove(job)
    expect(await jobs.update(job, (known) => ({ ...known, status: 'completed' }))).toBeUndefined()
    expect(await jobs.find(job.id, 'key-a')).toBeUndefined()
    expect(await jobs.list('key-a', { limit: 10, order: 'desc' })).toEqual({
      jobs: [],
      hasMore: false,
    })
  })

  test('an expired job is nobody’s', async () => {
    await using opened = await open()
    let time = Date.now()
    const jobs = jobsOver(opened.store, () => time)
    const job = aJob({ expiresAt: Math.floor(time / 1_000) + 60 })
    await jobs.create(job)
    expect(await jobs.find(job.id, 'key-a')).toBeDefined()
    time += 61_000
    expect(await jobs.find(job.id, 'key-a')).toBeUndefined()
    expect((await jobs.list('key-a', { limit: 10, order: 'desc' })).jobs).toEqual([])
  })

  test('a key’s jobs are listed page by page, both ways', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const own = Array.from({ length: 5 }, () => aJob())
    const others = ['key', 'key-', 'key-a0', 'key-b'].map((keyId) => aJob({ keyId }))
    for (const job of [...own, ...others]) await jobs.create(job)
    const ids = own.map(({ id }) => id)
    expect(await pages(jobs, 'desc')).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]])
    expect(await pages(jobs, 'asc')).toEqual([[ids[0], ids[1]], [ids[2], ids[3]], [ids[4]]])
  })

  test('a page goes on after a job that is gone', async () => {
    await using opened = await open()
    const jobs = jobsOver(opened.store)
    const [first, second, third] = [aJob(), aJob(), aJob()]
    for (const job of [first, second, third]) await jobs.create(job)
    await jobs.remove(second)
    for (const [order, rest] of [
      ['desc', first],
      ['asc', third],
    ] as const) {
      const page = await jobs.list('key-a', { after: second.id, limit: 5, order })
      expect(page).toEqual({ jobs: [rest], hasMore: false })
    }
  })
}

async function pages(jobs: Jobs, order: 'asc' | 'desc'): Promise<string[][]> {
  const read: string[][] = []
  let after: string | undefined
  // More than there can be.
  while (read.length < 10) {
    const page = await jobs.list('key-a', { after, limit: 2, order })
    read.push(page.jobs.map(({ id }) => id))
    if (!page.hasMore) break
    after = page.jobs.at(-1)?.id
  }
  return read
}
