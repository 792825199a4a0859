import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

import type { Snapshot } from '../../contract/candidate.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import { runInTurns } from '../../lib/turns.ts'
import type { RunningGateway } from '../../runtime/start-gateway.ts'
import { describeAccounts } from './describe.ts'
import { exclusionsOf } from './exclusions.ts'
import type { Monitor } from './monitor.ts'
import { type ConfigurationState, type ProcessRecord, bounded } from './record.ts'

/** How often the delay of the event loop is measured, in milliseconds. */
const resolution = 50

/** The parts of time of which the longest delay is known, in milliseconds. */
const lagMs = 2_000

/** The options of `createSelf`. */
interface SelfOptions {
  readonly running: RunningGateway
  readonly monitor: Monitor
  /** This package's version. */
  readonly version: string
  readonly worker?: number
  readonly configuration: () => Promise<ConfigurationState>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** This process, as the others see it. */
interface Self {
  readonly id: string
  describe(): Promise<ProcessRecord>
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
  const lag = measureLag()
  const judges = running.plugins.filter(({ exclusions }) => exclusions)
  /** The accounts of which `monitor` has counts. */
  let counted: Snapshot | undefined

  return {
    id,
    judges,
    async describe() {
      const inUse = await configuration()
      const { snapshot } = running.accounts
      const { accounts } = snapshot
      // This happens many times a second while operators ask.
      if (snapshot !== counted) monitor.keepAccounts(new Set(accounts.map((account) => account.id)))
      counted = snapshot
      const exclusions = await runInTurns(exclusionsOf(judges, accounts))
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
        configuration: inUse,
        ready: !draining && running.accounts.size > 0,
        inFlight: running.gateway.inflight(),
        loopLagMs: lag.longestMs(),
        ...describeAccounts(monitor, exclusions),
        pulse: [...monitor.pulse.samples],
      }
    },
    close: () => lag.close(),
  }
}

/**
 * Measures the longest delay of the event loop in the present part of time and in the one before: a
 * question takes nothing from the answer to the next. (The histogram of Node loses a delay in which it is
 * reset.)
 */
function measureLag() {
  let last = performance.now()
  let began = last
  let longest = 0
  let before = 0
  const late = () => performance.now() - last - resolution
  const timer = setInterval(() => {
    longest = Math.max(longest, late())
    last = performance.now()
    if (last - began < lagMs) return
    before = longest
    longest = 0
    began = last
  }, resolution).unref()
  return {
    longestMs: () => Math.round(Math.max(before, longest, late(), 0) * 10) / 10,
    close: () => clearInterval(timer),
  }
}

/** Unlike all other processes on the store, and readable. */
function processId(host: string): string {
  const name = host.replaceAll(/[^A-Za-z0-9.-]/g, '-').slice(0, 32)
  return `${name}-${process.pid}-${randomBytes(4).toString('hex')}`
}
