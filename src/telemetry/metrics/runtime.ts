import { readFile, readdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

import { measureLoopDelay } from '../../lib/ticker.ts'
import { stateMetrics as metrics } from './catalog.ts'
import { type Snapshot, series } from './snapshot.ts'

/** The parts of time of which delays are known, in seconds. */
const lagSeconds = 30

/** Reads the resource usage of the process. */
interface RuntimeMetrics extends Disposable {
  read(): Promise<Snapshot>
}

/** Begins to measure the event loop. `version`: this package's. */
export function measureRuntime(version: string): RuntimeMetrics {
  const lag = measureLoopDelay(lagSeconds)
  const mostFiles = openFilesLimit()

  async function read(): Promise<Snapshot> {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const [files, most] = await Promise.all([openFiles(), mostFiles])
    return new Map([
      [metrics.build.name, [series([version], 1)]],
      [metrics.lagP99.name, [series([], lag.p99Ms() / 1e3)]],
      [metrics.lagMax.name, [series([], lag.longestMs() / 1e3)]],
      [metrics.heapUsed.name, [series([], heapUsed)]],
      [metrics.heapLimit.name, [series([], getHeapStatistics().heap_size_limit)]],
      [metrics.cpu.name, [series([], (user + system) / 1e6)]],
      [metrics.memory.name, [series([], rss)]],
      [metrics.memoryLimit.name, [series([], usableMemory())]],
      [metrics.startTime.name, [series([], startedAt)]],
      [metrics.openFiles.name, files === undefined ? [] : [series([], files)]],
      [metrics.mostFiles.name, most === undefined ? [] : [series([], most)]],
      [metrics.processes.name, [series([], 1)]],
    ])
  }

  return {
    read,
    [Symbol.dispose]: () => lag.close(),
  }
}

/** In seconds since 1970. */
const startedAt = Math.round(performance.timeOrigin) / 1_000

/** `undefined` where the system has no such list. */
async function openFiles(): Promise<number | undefined> {
  const names = await readdir('/proc/self/fd').catch(() => undefined)
  return names?.length
}

/** The soft limit, which Node raises to the hard one at its start. `undefined`: unknown, or none. */
async function openFilesLimit(): Promise<number | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? []
  return soft === undefined ? undefined : Number(soft)
}

/** In bytes. An orchestrator may change the limit of a container that runs. */
function usableMemory(): number {
  return Math.min(process.constrainedMemory() || Infinity, totalmem())
}
