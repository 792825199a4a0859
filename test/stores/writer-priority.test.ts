import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { temporaryDirectory } from './temporary.ts'

const execute = promisify(execFile)

/** Opens a store, writes to it, and prints the niceness of the threads: of the event loop, and of those that have begun. */
const program = `
  import { readdir, readFile } from 'node:fs/promises'
  import { openStore } from ${JSON.stringify(import.meta.resolve('../../src/stores/open.ts'))}
  const before = new Set(await readdir('/proc/self/task'))
  const store = await openStore('file:.', { cwd: process.argv[1] })
  await store.records('things').set('a', 1)
  const begun = (await readdir('/proc/self/task')).filter((thread) => !before.has(thread))
  const niceness = async (thread) => {
    // Field 19 of /proc/PID/task/TID/stat; names, which may hold anything, end with the last bracket.
    const stat = await readFile('/proc/self/task/' + thread + '/stat', 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  }
  console.log(JSON.stringify({
    loop: await niceness(String(process.pid)),
    begun: await Promise.all(begun.map(niceness)),
  }))
  await store.close()
`

test.runIf(process.platform === 'linux').each([0, 5, 15])(
  'the thread that writes gives way to an event loop of niceness %i, and is not starved by it',
  async (more) => {
    await using directory = await temporaryDirectory()
    const node = [process.execPath, '--eval', program, directory.path]
    const { stdout } = await execute('nice', ['-n', String(more), ...node])
    const { loop, begun } = JSON.parse(stdout) as { loop: number; begun: number[] }
    expect(loop).toBe(getPriority() + more)
    expect(begun).toContain(Math.min(loop + 10, 19))
  },
)
