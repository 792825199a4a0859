import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

import type { ConfigurationInUse } from '../../configuration/in-use.ts'
import { measureLoopDelay } from '../../lib/ticker.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import type { ConfigurationState, ProcessRecord } from './presence.ts'
import { bounded } from './values.ts'

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
  const lag = measureLoopDelay(lagSeconds)

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
        loopLagMs: Math.round(lag.longestMs() * 10) / 10,
      }
    },
    close: () => lag.close(),
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
