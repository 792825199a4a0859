import { expect, test } from 'vitest'

import { openMemoryStore } from '../../src/stores/memory.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { aJob, jobsOver } from './contract.ts'

test('a job that the store does not take is known here, and written when it does', async () => {
  const store = breakable(openMemoryStore())
  const jobs = jobsOver(store)
  const job = aJob()
  store.broken.writes = true
  await jobs.create(job)
  expect(jobs.waiting).toBe(1)
  const running = await jobs.update(job, (known) => ({ ...known, status: 'in_progress' }))
  expect(running).toMatchObject({ id: job.id, status: 'in_progress' })
  expect(await jobs.find(job.id, 'key-a')).toEqual(running)
  expect(await jobs.find(job.id, 'key-b')).toBeUndefined()

  store.broken.writes = false
  await until(() => jobs.waiting === 0)
  expect(await jobsOver(store).find(job.id, 'key-a')).toEqual(running)
})

test('what waits is written when the gateway ends', async () => {
  const store = breakable(openMemoryStore())
  const jobs = jobsOver(store)
  const job = aJob()
  store.broken.writes = true
  await jobs.create(job)
  store.broken.writes = false
  await jobs.close()
  expect(await jobsOver(store).find(job.id, 'key-a')).toEqual(job)
})

test('a store that cannot tell is no answer about a job', async () => {
  const store = breakable(openMemoryStore())
  const jobs = jobsOver(store)
  const job = aJob()
  await jobs.create(job)
  Object.assign(store.broken, { reads: true, writes: true })
  const page = { limit: 1, order: 'desc' } as const
  for (const asked of [
    jobs.find(job.id, 'key-a'),
    jobs.list('key-a', page),
    jobs.update(job, (known) => ({ ...known, progress: 1 })),
    jobs.remove(job),
  ]) {
    await expect(asked).rejects.toMatchObject({ code: 'lookup_unavailable', status: 503 })
  }
})
