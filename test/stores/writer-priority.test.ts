import { readdir, readFile } from 'node:fs/promises'
import { getPriority } from 'node:os'

import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { temporaryDirectory } from './temporary.ts'

test.runIf(process.platform === 'linux')(
  'the thread that writes gives way to the loop, whose own priority stays',
  async () => {
    await using directory = await temporaryDirectory()
    const before = getPriority()
    const threads = new Set(await readdir('/proc/self/task'))
    const store = await openStore('file:.', { cwd: directory.path })
    await store.records('things').set('a', 1)
    const begun = (await readdir('/proc/self/task')).filter((thread) => !threads.has(thread))
    const priorities = await Promise.all(begun.map((thread) => niceness(thread)))
    expect(priorities).toContain(10)
    expect(getPriority()).toBe(before)
    await store.close()
  },
)

/** Field 19 of `/proc/PID/task/TID/stat`; names, which may hold anything, end with the last bracket. */
async function niceness(thread: string): Promise<number> {
  const stat = await readFile(`/proc/self/task/${thread}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
}
