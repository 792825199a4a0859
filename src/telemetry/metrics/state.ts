import type { Account } from '../../contract/account.ts'
import type { Ended } from '../../contract/exchange.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Work } from '../../lib/turns.ts'
import { isDownload } from '../genai.ts'
import { type Working, poolSeries } from './account-pools.ts'
import { type AccountState, accountStates } from './account-states.ts'
import { stateMetrics as metrics } from './catalog.ts'
import { methodLabel } from '../http-labels.ts'
import { modelAvailability } from './model-availability.ts'
import { mostSeries } from './registry.ts'
import { type SeriesSnapshot, type Snapshot, series } from './snapshot.ts'

/** The parts of a gateway whose state metrics show. */
export interface StateSources {
  readonly inFlight: () => readonly Ended[]
  /** The number of open WebSockets. */
  readonly sockets?: () => number
  /** The accounts of the current configuration. */
  readonly accounts: () => readonly Account[]
  readonly plugins: readonly GatewayPlugin[]
  /** Numbers of a process about limits. */
  readonly limits?: () => LimitNumbers | undefined
}

interface LimitNumbers {
  readonly degraded: number
  readonly waiting: number
  readonly lost: number
  readonly alerts: number
}

/** The pool of a call: the label of its model, or `''`. */
type PoolOf = (exchange: Ended) => string

/** Methods and schemes. Only a trusted proxy speaks TLS to clients. */
const usualRequests = ['GET http', 'GET https', 'POST http', 'POST https']

/** Reads the present state of exchanges and accounts. There may be ten thousand accounts. */
export function* readState(
  { inFlight, sockets, accounts, plugins, limits }: StateSources,
  poolOf: PoolOf,
): Work<Snapshot> {
  // Series that are never absent can be queried, and steer autoscaling, before the first request.
  const requests = new Map(usualRequests.map((one) => [one, 0]))
  const streams = new Map(callDialects(plugins).map((id) => [id, 0]))
  const atWork: [account: string, exchange: Ended][] = []
  for (const exchange of inFlight()) {
    const { request, progress, dialect, operation, call } = exchange
    add(requests, `${methodLabel(request.method)} ${request.scheme ?? 'http'}`)
    const isStream = progress.streamed || call?.stream
    if (dialect && isStream && !(operation && isDownload(operation))) add(streams, dialect.id)
    const account = accountAtWork(exchange)
    if (account !== undefined) atWork.push([account, exchange])
  }
  const working = yield* workingOf(atWork, poolOf)
  const all = accounts()
  const states = yield* accountStates(plugins, all)
  const shown = mostInteresting(states, working).slice(0, mostSeries)
  yield
  const availability = yield* availabilitySeries(all, states)
  const pools = yield* poolSeries(shown, working)
  const each = (valueOf: (state: AccountState) => number) =>
    shown.map((state) => series([state.id], valueOf(state)))
  const { degraded = 0, waiting = 0, lost = 0, alerts = 0 } = limits?.() ?? {}
  return new Map([
    [metrics.limitsDegraded.name, [series([], degraded)]],
    [metrics.limitAlerts.name, [series([], alerts)]],
    [metrics.settlementsLost.name, [series([], lost)]],
    [metrics.settlementsWaiting.name, [series([], waiting)]],
    [metrics.active.name, [...requests].map(([one, count]) => series(one.split(' '), count))],
    [metrics.streams.name, [...streams].map(([dialect, count]) => series([dialect], count))],
    [metrics.sockets.name, [series([], sockets?.() ?? 0)]],
    [metrics.accountInFlight.name, pools.inFlight],
    [metrics.accountLimit.name, shown.flatMap(limitSeries)],
    [metrics.accountAvailable.name, pools.available],
    [metrics.circuits.name, each(({ circuit }) => circuit)],
    [metrics.accountExcluded.name, limited(shown.flatMap(exclusionSeries))],
    [metrics.modelsExcluded.name, limited(shown.flatMap(modelExclusionSeries))],
    [metrics.modelAvailable.name, limited(availability)],
  ])
}

/** The account that works on an exchange. */
function accountAtWork({ progress: { attempt } }: Ended): string | undefined {
  const isAtWork = attempt?.startedAt !== undefined && attempt.outcome === undefined
  return isAtWork ? attempt.candidate.account.id : undefined
}

function* workingOf(atWork: readonly (readonly [string, Ended])[], poolOf: PoolOf): Work<Working> {
  const working = new Map<string, Map<string, number>>()
  for (const [account, exchange] of atWork) {
    let calls = working.get(account)
    if (!calls) working.set(account, (calls = new Map()))
    add(calls, poolOf(exchange))
    yield
  }
  return working
}

function limitSeries({ id, maxConcurrent }: AccountState): SeriesSnapshot[] {
  return maxConcurrent === undefined ? [] : [series([id], maxConcurrent)]
}

function limited(all: readonly SeriesSnapshot[]): readonly SeriesSnapshot[] {
  return all.slice(0, mostSeries)
}

function exclusionSeries({ id, reasons }: AccountState): SeriesSnapshot[] {
  return reasons.map((reason) => series([id, reason], 1))
}

function modelExclusionSeries({ id, modelsOut }: AccountState): SeriesSnapshot[] {
  const counts = new Map<string, number>()
  for (const reason of modelsOut.values()) add(counts, reason)
  return Array.from(counts, ([reason, count]) => series([id, reason], count))
}

/** Models without an account come first. */
function* availabilitySeries(
  accounts: readonly Account[],
  states: readonly AccountState[],
): Work<SeriesSnapshot[]> {
  const lost: SeriesSnapshot[] = []
  const available: SeriesSnapshot[] = []
  for (const [model, isAvailable] of yield* modelAvailability(accounts, states)) {
    if (isAvailable) available.push(series([model], 1))
    else lost.push(series([model], 0))
    yield
  }
  return [...lost, ...available]
}

/** The dialects in which accounts are called. */
function callDialects(plugins: readonly GatewayPlugin[]): string[] {
  return plugins.flatMap(({ dialects = [] }) =>
    dialects.filter(({ upstream }) => upstream).map(({ id }) => id),
  )
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The accounts that get series where there are too many: accounts in trouble first, then accounts at work. */
function mostInteresting(states: readonly AccountState[], working: Working): AccountState[] {
  const isWell = ({ circuit, reasons, modelsOut }: AccountState) =>
    circuit === 0 && reasons.length === 0 && modelsOut.size === 0
  const rank = (state: AccountState) => (isWell(state) ? 0 : 2) + (working.has(state.id) ? 1 : 0)
  const byRank = Map.groupBy(states, rank)
  return [3, 2, 1, 0].flatMap((one) => byRank.get(one) ?? [])
}
