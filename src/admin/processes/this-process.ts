import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'

import type { ConfigurationInUse } from '../../configuration/in-use.ts'
import { everySeconds } from '../../lib/ticker.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { ConfigurationState, ProcessRecord } from './presence.ts'
import { bounded } from './values.ts'

/** How often the delay of the event loop of a busy process is measured, in milliseconds. */
const resolution = 50

/** A process that works for less than this time in a second is idle, in milliseconds. */
const idleMs = 20

/** The parts of time of which the longest delay is known, in seconds. */
const lagSeconds = 2

/** The options of `createThisProcess`. */
interface ThisProcessOptions {
  readonly running: RunningGateway
  /** This package's version. */
  readonly version: string
  readonly worker?: number
  readonly configuration: () => Promise<ConfigurationState>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** This process, as the others see it. */
interface ThisProcess {
  readonly id: string
  describe(): Promise<ProcessRecord>
  close(): void
}

/** Describes this process. */
export function createThisProcess(options: ThisProcessOptions): ThisProcess {
  const { running, version, worker, configuration, now } = options
  const host = bounded(hostname())
  const id = newProcessId(host)
  const startedAt = now()
  const lag = measureLag()

  return {
    id,
    async describe() {
      const { draining } = running.health
      return {
        id,
        version,
        startedAt,
        at: now(),
        pid: process.pid,
        host,
        draining,
        ...(worker !== undefined && { worker }),
        configuration: await configuration(),
        ready: !draining && running.accounts.size > 0,
        inFlight: running.gateway.inflight(),
        loopLagMs: lag.longestMs(),
      }
    },
    close: () => lag.close(),
  }
}

/**
 * Measures the longest delay of the event loop in the present part of time and in the one before: a question takes
 * nothing from the answer to the next. (A histogram of Node that samples each turn misses delays by events of
 * sockets.) A process that does next to nothing in a second is not woken for it in the next one.
 */
function measureLag() {
  let last = performance.now()
  let longest = 0
  let before = 0
  let parts = 0
  let used = performance.eventLoopUtilization()
  let timer: NodeJS.Timeout | undefined
  const late = () => (timer ? performance.now() - last - resolution : 0)

  function look(): void {
    longest = Math.max(longest, late())
    last = performance.now()
  }

  function watch(): void {
    last = performance.now()
    timer ??= setInterval(look, resolution).unref()
  }

  watch()
  const stop = everySeconds(1, () => {
    look()
    const { active } = performance.eventLoopUtilization(used)
    used = performance.eventLoopUtilization()
    if (active > idleMs) watch()
    else {
      clearInterval(timer)
      timer = undefined
    }
    if (++parts % lagSeconds > 0) return
    before = longest
    longest = 0
  })
  return {
    longestMs: () => Math.round(Math.max(before, longest, late(), 0) * 10) / 10,
    close() {
      stop()
      clearInterval(timer)
    },
  }
}

/** Unlike all other processes on the store, and readable. */
function newProcessId(host: string): string {
  const name = host.replaceAll(/[^A-Za-z0-9.-]/g, '-').slice(0, 32)
  return `${name}-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** Problems of a configuration in a heartbeat. */
const mostProblems = 20

/** Says which configuration is in use. */
export function describeConfiguration(
  inUse: ConfigurationInUse,
): () => Promise<ConfigurationState> {
  return async () => {
    let hash = await inUse.hash()
    // A reload may have taken effect meanwhile.
    for (let again = await inUse.hash(); again !== hash; again = await inUse.hash()) hash = again
    const { loadedAt, problems } = inUse
    const shown = problems.slice(0, mostProblems).map(({ path, message, fix }) => ({
      path: bounded(path),
      message: bounded(message),
      fix: bounded(fix),
    }))
    return { hash, loadedAt, problems: shown }
  }
}
