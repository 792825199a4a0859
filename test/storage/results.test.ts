import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { createPublicUrl } from '../../src/kit/public-url.ts'
import { sweepExpired } from '../../src/storage/sweep.ts'
import { createResults } from '../../src/storage/results.ts'
import { createSigner } from '../../src/storage/signer.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'

const hourMs = 60 * 60_000

/** Processes that keep results in one directory. */
async function openShelf() {
  await using starting = new AsyncDisposableStack()
  const { path: parent } = starting.use(await temporaryDirectory())
  const directory = join(parent, 'results')
  const records = openMemoryStore().records<{ readonly secret: string }>('secrets')
  const errors: unknown[] = []
  let time = 1_700_000_000_000
  const start = () =>
    createResults({
      directory,
      signer: createSigner({ records, purpose: 'results' }),
      publicUrl: createPublicUrl('https://gateway.example'),
      now: () => time,
      onSweepError: (error) => errors.push(error),
      sweepMs: 5,
    })
  const started = starting.move()
  return {
    directory,
    errors,
    /** One that sweeps until the test is over. */
    start() {
      const results = start()
      results.beginSweeping()
      started.defer(() => results.close())
      return results
    },
    forward: (minutes: number) => (time += minutes * 60_000),
    async files() {
      const entries = await readdir(directory, { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** The directories of files that expire together. */
async function minutesIn(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((name) => /^\d+$/.test(name))
}

test('what has expired is deleted, by as many processes as there are', async () => {
  await using shelf = await openShelf()
  const [first, second] = [shelf.start(), shelf.start(), shelf.start()]
  await first.publish(Buffer.from('early'), 'image/png', hourMs)
  await second.publish(Buffer.from('early too'), undefined, hourMs)
  shelf.forward(30)
  await second.publish(Buffer.from('late'), 'image/jpeg', hourMs)
  expect(await shelf.files()).toHaveLength(3)
  shelf.forward(35)
  await until(async () => (await shelf.files()).length === 1)
  shelf.forward(30)
  await until(async () => (await readdir(shelf.directory)).join() === 'incoming')
  expect(shelf.errors).toEqual([])
})

test('nothing is deleted before its time, and nothing that is no result at all', async () => {
  await using shelf = await openShelf()
  const results = shelf.start()
  const strange = ['notes.txt', '12x', '-5', '1e3']
  await mkdir(shelf.directory, { recursive: true })
  for (const name of strange) await writeFile(join(shelf.directory, name), 'mine')
  await results.publish(Buffer.from('soon over'), 'image/png', 60_000)
  await results.publish(Buffer.from('to stay'), 'image/png', hourMs)
  shelf.forward(59)
  await until(async () => (await shelf.files()).length === strange.length + 1)
  await until(async () => (await minutesIn(shelf.directory)).length === 1)
  const [kept = ''] = (await shelf.files()).filter((name) => !strange.includes(name))
  const [minute = ''] = await minutesIn(shelf.directory)
  expect(String(await readFile(join(shelf.directory, minute, kept)))).toContain('to stay')
})

test('where nothing was ever kept there is nothing to sweep, and nothing is made', async () => {
  await using shelf = await openShelf()
  await sweepExpired(shelf.directory, Date.now())
  await expect(readdir(shelf.directory)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a directory that cannot be swept is told of', async () => {
  await using shelf = await openShelf()
  await writeFile(shelf.directory, 'a file in its place')
  shelf.start()
  await until(() => shelf.errors.length > 0)
  expect(shelf.errors[0]).toMatchObject({ code: 'ENOTDIR' })
})

test('an image without an address or a secret leaves nothing behind', async () => {
  await using directory = await temporaryDirectory()
  const records = openMemoryStore().records<{ readonly secret: string }>('secrets')
  const options = {
    directory: join(directory.path, 'results'),
    publicUrl: createPublicUrl('https://gateway.example'),
    signer: createSigner({ records, purpose: 'results' }),
    now: Date.now,
    onSweepError: () => {},
  }
  const away = { get: () => Promise.reject(new Error('away')), add: () => Promise.resolve(true) }
  for (const fault of [
    { publicUrl: createPublicUrl() },
    { signer: createSigner({ records: away, purpose: 'results' }) },
  ]) {
    const results = createResults({ ...options, ...fault })
    await expect(results.publish(Buffer.from('x'), undefined, hourMs)).rejects.toThrow()
  }
  expect(await readdir(directory.path)).toEqual([])
})
