import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import { describeAccounts, exclusionsOf } from './describe.ts'
import type { Monitor } from './monitor.ts'
import { type ConfigurationState, type ProcessRecord, bounded } from './record.ts'

/** How often the delay of the event loop is measured, in milliseconds. */
const resolution = 50

/** The options of `createSelf`. */
interface SelfOptions {
  readonly running: RunningGateway
  readonly monitor: Monitor
  /** This package's version. */
  readonly version: string
  readonly worker?: number
  readonly configuration: () => ConfigurationState
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** This process, as the others see it. */
interface Self {
  readonly id: string
  describe(): ProcessRecord
  /** Plugins that say what excludes accounts. */
  readonly judges: readonly GatewayPlugin[]
  close(): void
}

/** Describes this process. */
export function createSelf(options: SelfOptions): Self {
  const { running, monitor, version, worker, configuration, now } = options
  const host = bounded(hostname())
  const id = processId(host)
  const startedAt = now()
  const delay = monitorEventLoopDelay({ resolution })
  delay.enable()
  const judges = running.plugins.filter(({ exclusions }) => exclusions)

  return {
    id,
    judges,
    describe() {
      const { accounts } = running.accounts.snapshot
      monitor.keepAccounts(new Set(accounts.map((account) => account.id)))
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
        configuration: configuration(),
        ready: !draining && running.accounts.size > 0,
        inFlight: running.gateway.inflight(),
        loopLagMs: lagOf(delay),
        ...describeAccounts(monitor, exclusionsOf(judges, accounts)),
        pulse: [...monitor.pulse.samples],
      }
    },
    close: () => void delay.disable(),
  }
}

/** The longest delay since the last question, in milliseconds. */
function lagOf(delay: ReturnType<typeof monitorEventLoopDelay>): number {
  const longest = delay.max / 1e6
  delay.reset()
  return Number.isFinite(longest) ? Math.max(0, Math.round((longest - resolution) * 10) / 10) : 0
}

/** Unlike all other processes on the store, and readable. */
function processId(host: string): string {
  const name = host.replaceAll(/[^A-Za-z0-9.-]/g, '-').slice(0, 32)
  return `${name}-${process.pid}-${randomBytes(4).toString('hex')}`
}
