import { readFile, readdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'

import { stateMetrics as metrics } from './catalog.ts'
import { type Snapshot, series } from './snapshot.ts'

/** The histogram of delays covers this period and the one before it. In milliseconds. */
const lagMs = 30_000

/**
 * How often a Node that does not know `samplePerIteration` looks at the event loop, in milliseconds. A newer one
 * measures each turn, and wakes no idle process.
 */
const resolution = 250

/** The first sample includes the wait for the first event, so it is dropped after this time. In milliseconds. */
const firstSampleMs = 100

/** Reads the resource usage of the process. */
interface RuntimeMetrics extends Disposable {
  read(): Promise<Snapshot>
}

/** Begins to measure the event loop. `version`: this package's. */
export function measureRuntime(version: string): RuntimeMetrics {
  const delays = monitorEventLoopDelay({ samplePerIteration: true, resolution })
  delays.enable()
  setTimeout(() => delays.reset(), firstSampleMs).unref()
  const mostFiles = openFilesLimit()
  let before = { p99: 0, max: 0 }
  // A scrape must not take anything from the next one, which may be another's.
  const timer = setInterval(() => {
    before = delaysOf(delays)
    delays.reset()
  }, lagMs).unref()

  async function read(): Promise<Snapshot> {
    const now = delaysOf(delays)
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const [files, most] = await Promise.all([openFiles(), mostFiles])
    return new Map([
      [metrics.build.name, [series([version], 1)]],
      [metrics.lagP99.name, [series([], Math.max(before.p99, now.p99))]],
      [metrics.lagMax.name, [series([], Math.max(before.max, now.max))]],
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
    [Symbol.dispose]() {
      clearInterval(timer)
      delays.disable()
    },
  }
}

/** In seconds since 1970. */
const startedAt = Math.round(performance.timeOrigin) / 1_000

/** In seconds. A Node that looks periodically adds the period to each sample, so even the least sample has it. */
function delaysOf(delays: ReturnType<typeof monitorEventLoopDelay>) {
  if (delays.count === 0) return { p99: 0, max: 0 }
  const period = delays.min > 0.9e6 * resolution ? resolution / 1_000 : 0
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - period)
  return { p99: late(delays.percentile(99)), max: late(delays.max) }
}

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
