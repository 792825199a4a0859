import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { removeOld, sweepOld, moveAndDelete } from '../../src/storage/local/sweep.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { put, type Service, startService } from './service.ts'

const dayMs = 24 * 60 * 60_000

async function upload(service: Service, path: string): Promise<void> {
  const { upload_url } = await service.issue({ path })
  expect((await put(upload_url, `the bytes of ${path}`)).status).toBe(201)
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** Makes all files there older. */
async function age(directory: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * dayMs)
  for (const file of await filesIn(directory)) await utimes(file, then, then)
}

async function statusOf(service: Service, path: string): Promise<number> {
  const { visit_url } = await service.issue({ path })
  return (await fetch(visit_url)).status
}

test('an upload is deleted after thirty days, and later ones stay', async () => {
  await using place = await temporaryDirectory()
  const uploads = { directory: place.path }
  {
    await using service = await startService({ uploads })
    await upload(service, 'old.png')
    await age(place.path, 31)
    await upload(service, 'new.png')
  }
  await using service = await startService({ uploads })
  await until(async () => (await filesIn(place.path)).length === 1)
  expect(await statusOf(service, 'old.png')).toBe(404)
  expect(await statusOf(service, 'new.png')).toBe(200)
  await upload(service, 'old.png')
  expect(service.gateway.log).toEqual([])
})

test('an operator keeps them for other times', async () => {
  await using place = await temporaryDirectory()
  {
    await using service = await startService({ uploads: { directory: place.path } })
    for (const path of ['a', 'b']) await upload(service, path)
  }
  const [first = ''] = await filesIn(place.path)
  await age(place.path, 1)
  const older = new Date(Date.now() - 3 * dayMs)
  await utimes(first, older, older)
  await using _service = await startService({ uploads: { directory: place.path, keepDays: 2 } })
  await until(async () => (await filesIn(place.path)).length === 1)
  expect(await filesIn(place.path)).not.toContain(first)
})

test('or for ever', async () => {
  await using place = await temporaryDirectory()
  const uploads = { directory: place.path, keepDays: false as const }
  await using service = await startService({ uploads })
  await upload(service, 'a')
  await age(place.path, 4_000)
  await using again = await startService({ uploads })
  expect(await statusOf(again, 'a')).toBe(200)
})

test('an upload that takes the place of an old one just as that is deleted stays', async () => {
  await using place = await temporaryDirectory()
  await using service = await startService({ uploads: { directory: place.path } })
  await upload(service, 'again.png')
  const [file = ''] = await filesIn(place.path)
  const { ctimeMs: untouched } = await stat(file)
  await removeOld(file, Date.now() - dayMs, join(place.path, 'incoming'))
  expect(await statusOf(service, 'again.png')).toBe(200)
  expect(await filesIn(place.path)).toEqual([file])
  // Not even for a moment is it anywhere else.
  expect((await stat(file)).ctimeMs).toBe(untouched)
  await moveAndDelete(file, Date.now() - dayMs, join(place.path, 'incoming'))
  expect(await statusOf(service, 'again.png')).toBe(200)
  expect(await filesIn(place.path)).toEqual([file])
  await age(place.path, 2)
  await removeOld(file, Date.now() - dayMs, join(place.path, 'incoming'))
  expect(await statusOf(service, 'again.png')).toBe(404)
  await removeOld(file, Date.now(), join(place.path, 'incoming'))
  expect(await filesIn(place.path)).toEqual([])
})

test('what is no upload is left alone, however old', async () => {
  await using place = await temporaryDirectory()
  await using service = await startService({ uploads: { directory: place.path } })
  await upload(service, 'mine')
  const [file = ''] = await filesIn(place.path)
  await writeFile(join(place.path, 'notes.txt'), 'not an upload')
  await writeFile(join(file, '..', 'notes.txt'), 'not an upload')
  await age(place.path, 100)
  await sweepOld(place.path, Date.now() - dayMs)
  expect((await filesIn(place.path)).map((path) => path.slice(-9))).toEqual([
    'notes.txt',
    'notes.txt',
  ])
  await sweepOld(join(place.path, 'nowhere'), Date.now())
})
