import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import { readLine, type Told } from './told.ts'

/** A test that hangs has failed; a run that hangs is given up. */
const testMs = 15_000
const runMs = 300_000

/**
 * Runs tests of a folder and yields how each of them ended, in the order in which they do. Stops the
 * run when nobody wants to hear more.
 */
export async function* runTests(folder: string, tests: readonly string[]): AsyncGenerator<Told> {
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const reporter = join(folder, 'test/checks-matter/telling-reporter.ts')
  const options = [`--testTimeout=${testMs}`, `--reporter=${reporter}`, '--pool=threads']
  const child = spawn(process.execPath, [vitest, 'run', ...tests, ...options], {
    cwd: folder,
    env: { ...process.env, ALL_ROWS: '1', NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: runMs,
    killSignal: 'SIGKILL',
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  try {
    for await (const text of createInterface(child.stdout)) {
      const told = readLine(text)
      if (told) yield told
    }
  } finally {
    child.kill('SIGKILL')
    await closed
  }
}
