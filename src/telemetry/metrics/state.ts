import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { Ended } from '../../contract/exchange.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import { stateMetrics as metrics } from './catalog.ts'
import { methodLabel } from './http-labels.ts'
import { mostSeries } from './registry.ts'
import type { SeriesSnapshot, Snapshot } from './snapshot.ts'

/** The parts of a gateway whose state metrics show. */
export interface StateSources {
  readonly inFlight: () => readonly Ended[]
  /** The accounts of the current configuration. */
  readonly accounts: () => readonly Account[]
  readonly plugins: readonly GatewayPlugin[]
}

/** Reads what exchanges and accounts do now. */
export function readState({ inFlight, accounts, plugins }: StateSources): Snapshot {
  // What is never absent can be queried, and steers a number of replicas, before the first request.
  const methods = new Map([
    ['GET', 0],
    ['POST', 0],
  ])
  const streams = new Map(callDialects(plugins).map((id) => [id, 0]))
  const working = new Map<string, number>()
  for (const { request, progress, dialect, call } of inFlight()) {
    add(methods, methodLabel(request.method))
    if (dialect && (progress.streamed || call?.stream)) add(streams, dialect.id)
    const { attempt } = progress
    const isAtWork = attempt?.startedAt !== undefined && attempt.outcome === undefined
    if (isAtWork) add(working, attempt.candidate.account.id)
  }
  const states = accountStates(plugins, accounts())
  const shown = states.toSorted(mostInteresting(working)).slice(0, mostSeries)
  const each = (valueOf: (state: AccountState) => number) =>
    shown.map((state) => series([state.id], valueOf(state)))
  return new Map([
    // A proxy speaks TLS, if anyone does.
    [metrics.active.name, [...methods].map(([method, count]) => series([method, 'http'], count))],
    [metrics.streams.name, [...streams].map(([dialect, count]) => series([dialect], count))],
    [metrics.accountInFlight.name, each(({ id }) => working.get(id) ?? 0)],
    [metrics.accountAvailable.name, each(({ isAvailable }) => (isAvailable ? 1 : 0))],
    [metrics.circuits.name, each(({ circuit }) => circuit)],
  ])
}

/** The dialects in which accounts are called. */
function callDialects(plugins: readonly GatewayPlugin[]): string[] {
  return plugins.flatMap(({ dialects = [] }) =>
    dialects.filter(({ upstream }) => upstream).map(({ id }) => id),
  )
}

/** A series with one value. */
export function series(labels: readonly string[], value: number): SeriesSnapshot {
  return [labels, [value]]
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

interface AccountState {
  readonly id: string
  readonly isAvailable: boolean
  /** 0 closed, 1 half-open, 2 open. */
  readonly circuit: number
}

function accountStates(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): AccountState[] {
  const exclusions = Map.groupBy(exclusionsOf(plugins, accounts), ({ account }) => account)
  return accounts.map(({ id, enabled, speaks }) => {
    const own = exclusions.get(id) ?? []
    const circuit = Math.max(0, ...own.map(circuitOf))
    return { id, circuit, isAvailable: enabled && !isKeptOut(own, speaks) }
  })
}

/** A plugin that throws knows nothing. */
function exclusionsOf(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): AccountExclusion[] {
  return plugins.flatMap((plugin) => {
    try {
      return [...(plugin.exclusions?.(accounts) ?? [])]
    } catch {
      return []
    }
  })
}

function circuitOf({ kind, isProbing }: AccountExclusion): number {
  if (kind !== 'circuit') return 0
  return isProbing ? 1 : 2
}

/** Whether an account gets no call at all: what concerns a model, a key or one of its dialects is less. */
function isKeptOut(exclusions: readonly AccountExclusion[], speaks: readonly string[]): boolean {
  const whole = exclusions.filter(
    (one) => one.model === undefined && one.keyId === undefined && circuitOf(one) !== 1,
  )
  if (whole.some(({ dialect }) => dialect === undefined)) return true
  return speaks.every((id) => whole.some(({ dialect }) => dialect === id))
}

/** Of many accounts those in trouble come first, then those at work. */
function mostInteresting(working: ReadonlyMap<string, number>) {
  const rank = ({ id, isAvailable, circuit }: AccountState) =>
    (isAvailable && circuit === 0 ? 0 : 2) + (working.has(id) ? 1 : 0)
  return (one: AccountState, another: AccountState) => rank(another) - rank(one)
}
