import { mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect, test } from 'vitest'

import type { ClientRequest } from '../../src/contract/request.ts'
import { createPublicUrl } from '../../src/kit/public-url.ts'
import type { OpenFile } from '../../src/storage/local/disk.ts'
import { createLocalStorage } from '../../src/storage/local/storage.ts'
import { createSigner } from '../../src/storage/signer.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'

/** A storage in a directory of its own, on a disk that may behave otherwise. */
async function startStorage(openFile?: OpenFile) {
  const directory = await mkdtemp(join(tmpdir(), 'uploads-disk-'))
  const store = openMemoryStore()
  const storage = createLocalStorage({
    name: 'local',
    directory,
    signer: createSigner({ records: store.records('secrets'), purpose: 'uploads' }),
    publicUrl: createPublicUrl('https://gateway.example'),
    used: store.records('used'),
    types: undefined,
    pace: { windowMs: 5_000, bytesPerSecond: 1 },
    now: Date.now,
    openFile,
  })
  const file = { place: storage.places[0]!, owner: 'a'.repeat(32), path: 'film.mp4' }
  return {
    storage,
    directory,
    file,
    async put(bytes: Buffer, { overwrite = false } = {}) {
      const terms = { maxBytes: 1e9, size: undefined, type: undefined, overwrite }
      const { url } = await storage.upload(file, { ...terms, expiresAt: Date.now() + 60_000 })
      const { search } = new URL(url)
      const request = requestOf(bytes)
      const { owner, path } = file
      return storage.answer(
        { method: 'PUT', owner, path, query: search.slice(1) },
        answered(request),
      )
    },
    names: async () => (await readdir(directory, { recursive: true })).toSorted(),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

function requestOf(bytes: Buffer): ClientRequest {
  const stream = Readable.from([bytes.subarray(0, 10), bytes.subarray(10)])
  const headers = { 'content-length': String(bytes.length) }
  return { method: 'PUT', path: '', query: '', headers, remoteAddress: '', stream }
}

function answered(request: ClientRequest) {
  return { request, progress: { bytesIn: 0, bytesOut: 0 } }
}

/** Opens files that take some bytes and then fail, as on a disk without space. */
function failingAfter(most: number, code: string): OpenFile {
  return async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    let written = 0
    const write = handle.write.bind(handle)
    const limited = (bytes: Buffer, offset: number) => {
      const some = bytes.subarray(0, offset + Math.max(0, most - written))
      if (some.length === offset && bytes.length > offset) {
        throw Object.assign(new Error(`${code}: no space left`), { code })
      }
      written += some.length - offset
      return write(some, offset)
    }
    return Object.assign(handle, { write: async (...each: [Buffer, number]) => limited(...each) })
  }
}

test.each(['ENOSPC', 'EDQUOT', 'EFBIG'])(
  'a file for which the disk has no room (%s) is refused, and leaves nothing',
  async (code) => {
    for (const most of [0, 20, 500]) {
      await using world = await startStorage(failingAfter(most, code))
      await expect(world.put(Buffer.alloc(1_000))).rejects.toMatchObject({
        status: 507,
        code: 'storage_full',
      })
      expect(await world.names()).toEqual(['incoming'])
    }
  },
)

test('a disk that fails otherwise is no full one, and nothing stays there either', async () => {
  await using world = await startStorage(failingAfter(100, 'EIO'))
  await expect(world.put(Buffer.alloc(1_000))).rejects.toMatchObject({ code: 'EIO' })
  expect(await world.names()).toEqual(['incoming'])
})

test('a disk that takes few bytes at a time gets them all', async () => {
  const slowly: OpenFile = async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    const write = handle.write.bind(handle)
    const few = (bytes: Buffer, offset: number) =>
      write(bytes, offset, Math.min(7, bytes.length - offset))
    return Object.assign(handle, { write: few })
  }
  await using world = await startStorage(slowly)
  const bytes = Buffer.from('a longer text than the disk takes at once, in full')
  await world.put(bytes)
  const { stream, size } = await world.storage.open(world.file)
  expect(size).toBe(bytes.length)
  expect(Buffer.concat(await stream.toArray())).toEqual(bytes)
})

test('a reader that has begun keeps its version while the file is replaced', async () => {
  await using world = await startStorage()
  await world.put(Buffer.from('the first version'))
  const { stream } = await world.storage.open(world.file)
  await world.put(Buffer.from('another one'), { overwrite: true })
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('the first version')
})

test('what a killed process has left is swept away, what is being written is not', async () => {
  await using world = await startStorage()
  await world.put(Buffer.from('some file, so that there are directories'))
  const incoming = join(world.directory, 'incoming')
  const old = new Date(Date.now() - 2 * 60 * 60_000)
  await writeFile(join(incoming, 'left'), 'half of a file')
  await utimes(join(incoming, 'left'), old, old)
  await writeFile(join(incoming, 'current'), 'another half')
  const restarted = createLocalStorage({
    name: 'local',
    directory: world.directory,
    signer: createSigner({ secret: 'x', records: openMemoryStore().records('s'), purpose: 'p' }),
    publicUrl: createPublicUrl('https://gateway.example'),
    used: openMemoryStore().records('used'),
    types: undefined,
    pace: { windowMs: 5_000, bytesPerSecond: 1 },
    now: Date.now,
  })
  const file = { ...world.file, path: 'other' }
  const terms = { maxBytes: 9, size: undefined, type: undefined, overwrite: false }
  const { url } = await restarted.upload(file, { ...terms, expiresAt: Date.now() + 60_000 })
  const presented = { ...file, method: 'PUT' as const, query: new URL(url).search.slice(1) }
  await restarted.answer(presented, answered(requestOf(Buffer.from('bytes'))))
  expect(await readdir(incoming)).toEqual(['current'])
})
