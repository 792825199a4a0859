import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { spoolFull } from '../../src/body/spool/errors.ts'
import { Spool } from '../../src/body/spool/spool.ts'
import { type SpooledBody, maxMemoryBytes } from '../../src/body/spool/spooled-body.ts'
import { until } from '../../src/testing/until.ts'

const chunk = 100_000

/** A directory of its own, gone in the end. */
async function directory() {
  const path = await mkdtemp(join(tmpdir(), 'spool-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

async function write(spooled: SpooledBody, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += chunk) {
    await spooled.write(bytes.subarray(start, start + chunk))
  }
  await spooled.finish()
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const piece of stream) chunks.push(piece)
  return Buffer.concat(chunks)
}

/** The files in a directory that this process has open, also those that have no name any more. */
async function openFilesIn(path: string): Promise<string[]> {
  const ids = await readdir('/proc/self/fd')
  const links = await Promise.all(ids.map((id) => readlink(`/proc/self/fd/${id}`).catch(() => '')))
  return links.filter((link) => link.startsWith(path))
}

test('a small body takes no space on disk', async () => {
  await using place = await directory()
  const spool = new Spool({ spoolBytes: 0, directory: join(place.path, 'unused') })
  using spooled = spool.begin('team')
  const bytes = randomBytes(maxMemoryBytes)
  await write(spooled, bytes)
  expect(spool.bytes).toBe(0)
  expect(await readdir(place.path)).toEqual([])
  expect((await spooled.read(0, bytes.length)).equals(bytes)).toBe(true)
})

test.each([maxMemoryBytes + 1, 5_000_003])(
  'a body of %i bytes is on disk, without a name, and reads as it was written',
  async (size) => {
    await using place = await directory()
    const spool = new Spool({ spoolBytes: 10_000_000, directory: place.path })
    using spooled = spool.begin('team')
    const bytes = randomBytes(size)
    await write(spooled, bytes)
    expect(spool.bytes).toBe(size)
    expect(await readdir(place.path)).toEqual([])
    expect((await collect(spooled.stream([{ start: 0, end: size }]))).equals(bytes)).toBe(true)
    const pieces = [Buffer.from('a'), { start: 1_000_000, end: size }, Buffer.from('b')]
    const expected = Buffer.concat([Buffer.from('a'), bytes.subarray(1_000_000), Buffer.from('b')])
    expect((await collect(spooled.stream(pieces))).equals(expected)).toBe(true)
  },
)

test.runIf(process.platform === 'linux')('space and file are given back', async () => {
  await using place = await directory()
  const spool = new Spool({ spoolBytes: 10_000_000, directory: place.path })
  const spooled = spool.begin('team')
  await write(spooled, randomBytes(3_000_000))
  expect(await openFilesIn(place.path)).toHaveLength(1)
  spooled[Symbol.dispose]()
  spooled[Symbol.dispose]()
  await until(() => spool.bytes === 0)
  expect(await openFilesIn(place.path)).toEqual([])
})

test('one that is given back while it is written and read is given back', async () => {
  await using place = await directory()
  const spool = new Spool({ spoolBytes: 10_000_000, directory: place.path })
  const written = spool.begin('team')
  const writing = written.write(randomBytes(3_000_000))
  written[Symbol.dispose]()
  await expect(writing).rejects.toThrow('The exchange has ended')
  const read = spool.begin('team')
  await write(read, randomBytes(3_000_000))
  const reading = collect(read.stream([{ start: 0, end: 3_000_000 }]))
  read[Symbol.dispose]()
  await expect(reading).rejects.toMatchObject({ code: 'internal_error' })
  await until(() => spool.bytes === 0)
})

test('a full disk is not taken for a budget that others use', () => {
  expect(spoolFull(new Error('ENOSPC')).message).toContain('its disk has no space')
  expect(spoolFull().message).toContain('other requests')
})

test('all bodies share one budget; what one gives back another may take', async () => {
  const spool = new Spool({ spoolBytes: 4_000_000 })
  const first = spool.begin('one')
  using second = spool.begin('another')
  await write(first, Buffer.alloc(3_000_000))
  const full = expect.objectContaining({ status: 503, code: 'spool_full' })
  await expect(write(second, Buffer.alloc(2_000_000))).rejects.toEqual(full)
  expect(spool.bytes).toBeLessThanOrEqual(4_000_000)
  first[Symbol.dispose]()
  using third = spool.begin('a third')
  await until(() => spool.bytes < 1_000_000 + maxMemoryBytes)
  await write(third, Buffer.alloc(2_000_000))
  expect((await third.read(0, 2_000_000)).length).toBe(2_000_000)
})

test('one key cannot fill the spool of all others, but may have one body of any size', async () => {
  const spool = new Spool({ spoolBytes: 8_000_000 })
  using first = spool.begin('greedy')
  await write(first, Buffer.alloc(3_000_000))
  using second = spool.begin('greedy')
  const refused = { status: 429, code: 'rate_limited', headers: { 'retry-after': '5' } }
  await expect(write(second, Buffer.alloc(2_000_000))).rejects.toMatchObject(refused)
  expect(() => spool.assertSpace('greedy', 2_000_000)).toThrow(expect.objectContaining(refused))
  using other = spool.begin('modest')
  await write(other, Buffer.alloc(4_500_000))
  other[Symbol.dispose]()
  first[Symbol.dispose]()
  second[Symbol.dispose]()
  await until(() => spool.bytes === 0)
  using alone = spool.begin('greedy')
  await write(alone, Buffer.alloc(7_000_000))
})

test('a directory that is none is the gateway’s own failure, and takes no space', async () => {
  await using place = await directory()
  const file = join(place.path, 'file')
  await writeFile(file, '')
  const spool = new Spool({ spoolBytes: 10_000_000, directory: file })
  const spooled = spool.begin('team')
  await expect(write(spooled, Buffer.alloc(3_000_000))).rejects.toMatchObject({
    status: 503,
    code: 'spool_unavailable',
  })
  spooled[Symbol.dispose]()
  await until(() => spool.bytes === 0)
})

test('a writer is asked to wait where the disk is behind', async () => {
  const spool = new Spool({ spoolBytes: 100_000_000 })
  using spooled = spool.begin('team')
  let waits = 0
  for (let index = 0; index < 100; index++) {
    const waiting = spooled.write(Buffer.alloc(chunk))
    if (waiting) {
      waits++
      await waiting
    }
  }
  await spooled.finish()
  expect(waits).toBeGreaterThan(0)
  expect(spooled.size).toBe(100 * chunk)
})
