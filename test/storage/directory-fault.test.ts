import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { directoryFault } from '../../src/storage/local/fault.ts'

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-fault-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The check of a process that starts a few turns of the loop later. */
async function laterBy(turns: number, directory: string): Promise<string | undefined> {
  for (let turn = 0; turn < turns; turn++) await setImmediate()
  return directoryFault(directory)
}

test('gateways that start together in one folder find its uploads usable', async () => {
  await using folder = await openFolder()
  const uploads = join(folder.path, '.dragoman', 'uploads')
  for (let round = 0; round < 100; round++) {
    const faults = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((turns) => laterBy(turns * (round % 9), uploads)),
    )
    await rm(join(folder.path, '.dragoman'), { recursive: true, force: true })
    expect(faults).toEqual(Array.from({ length: 6 }))
  }
})

test('a file in the place of the directory is named', async () => {
  await using folder = await openFolder()
  const file = join(folder.path, 'uploads')
  await writeFile(file, '')
  expect(await directoryFault(file)).toContain('is not a directory')
})
