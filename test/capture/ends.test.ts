import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { openCaptures } from '../../src/capture/index.ts'
import { type CaptureRecord, startCapture } from '../../src/capture/records.ts'
import { defaultCapture } from '../../src/capture/settings.ts'
import type { Received } from '../../src/contract/exchange.ts'
import { createLog } from '../../src/lib/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import { until } from '../../src/testing/until.ts'
import { collectLines } from '../../src/testing/lines.ts'

const exchange = {} as Received

async function openStage() {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-capture-'))
  const store = openMemoryStore()
  const clocks = { now: Date.now(), uptime: 0 }
  const { sink, lines } = collectLines()
  const open = () =>
    openCaptures({
      setting: { ...defaultCapture, directory },
      store,
      log: createLog(sink),
      now: () => clocks.now,
      uptime: () => clocks.uptime,
    })
  const record = (changes: Partial<CaptureRecord> = {}): CaptureRecord => ({
    keyId: 'team-a',
    exchanges: 10,
    startedAt: clocks.now,
    endsAt: clocks.now + 300_000,
    startedBy: 'token:admin',
    ...changes,
  })
  return {
    directory,
    store,
    clocks,
    lines,
    open,
    record,
    async [Symbol.asyncDispose]() {
      await store.close()
      await rm(directory, { recursive: true })
    },
  }
}

test('a capture ends after its time, even if the clock of the machine stands still', async () => {
  await using stage = await openStage()
  await startCapture(stage.store, stage.record())
  const captures = await stage.open()
  expect(captures.begin(exchange)).toBeDefined()
  stage.clocks.uptime += 300_000
  await until(() => captures.begin(exchange) === undefined)
  expect(stage.lines.map(({ msg }) => msg)).toEqual(['a capture has begun', 'a capture has ended'])
  captures.close()
})

test('without a capture nothing is copied', async () => {
  await using stage = await openStage()
  const captures = await stage.open()
  expect(captures.begin(exchange)).toBeUndefined()
  captures.close()
})

test('a record that is damaged, too long or over captures nothing', async () => {
  await using stage = await openStage()
  const { clocks, record, store } = stage
  const records = store.records<unknown>('captures', { listed: true })
  await records.set('cap_1', { ...record(), endsAt: clocks.now + 7_200_000 })
  await records.set('cap_2', { ...record(), keyId: 7 })
  await records.set('cap_3', 'damaged')
  await records.set('cap_4', {
    ...record(),
    startedAt: clocks.now - 600_000,
    endsAt: clocks.now - 1,
  })
  const captures = await stage.open()
  expect(captures.begin(exchange)).toBeUndefined()
  captures.close()
})

test('files are deleted after their time, and other files stay', async () => {
  await using stage = await openStage()
  const old = new Date(stage.clocks.now - 25 * 3_600_000)
  for (const name of ['cap_old1.7.ndjson', 'cap_new1.7.ndjson', 'notes.txt']) {
    await writeFile(join(stage.directory, name), '')
    if (!name.includes('new')) await utimes(join(stage.directory, name), old, old)
  }
  const captures = await stage.open()
  await until(async () => !(await readdir(stage.directory)).includes('cap_old1.7.ndjson'))
  expect((await readdir(stage.directory)).toSorted()).toEqual(['cap_new1.7.ndjson', 'notes.txt'])
  captures.close()
})
