import { Worker } from 'node:worker_threads'

import type { Work } from './worker.ts'

/** A case that takes longer hangs. Milliseconds. */
const hangMs = 20_000

/** What a series may hold at once, whatever it has read. */
const resourceLimits = { maxOldGenerationSizeMb: 256 }

/** Runs all series, so many at once, and resolves with what went wrong in them. */
export async function runAll(
  series: readonly Work['series'][],
  workers: number,
  onDone: (done: Work['series']) => void,
): Promise<string[]> {
  const waiting = [...series]
  const failures: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      failures.push(...(await runOne(next)))
      onDone(next)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return failures
}

async function runOne(series: Work['series']): Promise<string[]> {
  const at = new Int32Array(new SharedArrayBuffer(4))
  const workerData: Work = { series, at }
  const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData, resourceLimits })
  const where = () => `${series.account} account, case ${at[0]} of seed ${series.seed}`
  let last = -1
  const watch = setInterval(() => {
    if (Atomics.load(at, 0) === last) void worker.terminate()
    last = Atomics.load(at, 0)
  }, hangMs)
  try {
    return await new Promise<string[]>((resolve) => {
      worker.once('message', resolve)
      worker.once('error', (error) => resolve([`${String(error)}\n${where()}`]))
      worker.once('exit', (code) => code !== 0 && resolve([`it hangs\n${where()}`]))
    })
  } finally {
    clearInterval(watch)
  }
}
