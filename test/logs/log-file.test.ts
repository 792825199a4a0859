import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { openLogFile } from '../../src/lib/log-file.ts'
import { until } from '../../src/testing/until.ts'

/** A log file in a directory of its own, with what it reports. */
async function openStage(name = 'gateway.log') {
  const directory = await mkdtemp(join(tmpdir(), 'dragoman-log-'))
  const path = join(directory, name)
  const faults: string[] = []
  const recoveries: number[] = []
  const file = openLogFile({
    path,
    onFault: (error, dropped) => faults.push(`${(error as NodeJS.ErrnoException).code} ${dropped}`),
    onRecovery: (dropped) => recoveries.push(dropped),
  })
  return {
    path,
    file,
    faults,
    recoveries,
    write: (line: string) => new Promise<void>((resolve) => void file.write(`${line}\n`, resolve)),
    text: (at = path) => readFile(at, 'utf8').catch(() => ''),
    async [Symbol.asyncDispose]() {
      await file.close()
      await rm(directory, { recursive: true })
    },
  }
}

test('lines are appended to a file that only its group reads', async () => {
  await using stage = await openStage()
  await stage.write('first')
  await stage.write('second')
  expect(await stage.text()).toBe('first\nsecond\n')
  expect((await stat(stage.path)).mode & 0o777 & ~0o640).toBe(0)
})

test('logrotate moves the file: later lines are in a new one, and no line is lost', async () => {
  await using stage = await openStage()
  const moved = `${stage.path}.1`
  await stage.write('before')
  await rename(stage.path, moved)
  let number = 0
  await until(async () => {
    await stage.write(`line ${number++}`)
    return (await stage.text()) !== ''
  })
  const both = (await stage.text(moved)) + (await stage.text())
  const lines = Array.from({ length: number }, (_, index) => `line ${index}\n`)
  expect(both).toBe(`before\n${lines.join('')}`)
  expect(stage.faults).toEqual([])
})

test('at a reload the file is opened again at once', async () => {
  await using stage = await openStage()
  await stage.write('before')
  await rename(stage.path, `${stage.path}.1`)
  stage.file.reopen()
  await stage.write('after')
  expect(await stage.text()).toBe('after\n')
})

test('without its directory lines are dropped and counted, until it is there again', async () => {
  await using stage = await openStage('missing/gateway.log')
  await stage.write('one\ntwo')
  await stage.write('three')
  expect(stage.faults).toEqual(['ENOENT 2'])
  expect(stage.file.dropped).toBe(3)

  await mkdir(dirname(stage.path))
  stage.file.reopen()
  await stage.write('four')
  expect(await stage.text()).toBe('four\n')
  expect(stage.recoveries).toEqual([3])
})

test('a full disk ends nothing: lines are dropped, and one fault is reported', async () => {
  const faults: unknown[] = []
  const file = openLogFile({
    path: '/dev/full',
    onFault: (error) => faults.push((error as NodeJS.ErrnoException).code),
    onRecovery: () => {},
  })
  for (let number = 0; number < 100; number++) {
    // Has it try again at once.
    file.reopen()
    await new Promise<void>((resolve) => void file.write('line\n', resolve))
  }
  expect(file.dropped).toBe(100)
  expect(faults).toEqual(['ENOSPC'])
  expect(file.writableLength).toBe(0)
  await file.close()
})
