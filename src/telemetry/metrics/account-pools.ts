import { compilePatterns } from '../../accounts/patterns.ts'
import type { Work } from '../../lib/turns.ts'
import type { AccountState } from './account-states.ts'
import { other } from '../../accounts/model-labels.ts'
import { type SeriesSnapshot, series } from './snapshot.ts'

/** The most series of a metric of accounts and their pools: accounts and models multiply. */
const mostPoolSeries = 2_000

/** The calls that each account works on, by their pools. */
export type Working = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The series of accounts and their pools. */
interface PoolSeries {
  readonly inFlight: readonly SeriesSnapshot[]
  readonly available: readonly SeriesSnapshot[]
}

/**
 * The series of the accounts that metrics show, for each of their pools: the names and patterns of their models. If all
 * these together exceed the limit, each account has one pool. Calls do not decide it, so that they cannot change it.
 */
export function* poolSeries(states: readonly AccountState[], working: Working): Work<PoolSeries> {
  return (yield* seriesByPool(states, working)) ?? seriesByAccount(states, working)
}

/** `undefined` beyond the limit. */
function* seriesByPool(
  states: readonly AccountState[],
  working: Working,
): Work<PoolSeries | undefined> {
  const inFlight: SeriesSnapshot[] = []
  const available: SeriesSnapshot[] = []
  for (const state of states) {
    const own = new Set(poolsOf(state))
    if (available.length + own.size > mostPoolSeries) return undefined
    for (const pool of own) available.push(series([state.id, pool], takes(state, pool) ? 1 : 0))
    for (const [pool, calls] of callsByPool(own, working.get(state.id))) {
      inFlight.push(series([state.id, pool], calls))
    }
    yield
  }
  return { inFlight, available }
}

/** The calls of an account by its own pools. */
function callsByPool(
  own: ReadonlySet<string>,
  calls: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const counts = new Map([...own].map((pool) => [pool, 0]))
  for (const [pool, count] of calls) {
    const name = own.has(pool) ? pool : ownPoolOf(own, pool)
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}

/** The longest pattern of an account that matches a model which other accounts have a name or a pattern for. */
function ownPoolOf(own: ReadonlySet<string>, pool: string): string {
  const taking = [...own].filter((one) => one.includes('*') && compilePatterns([one])(pool))
  return taking.reduce((best, one) => (one.length > best.length ? one : best), '') || other
}

function seriesByAccount(states: readonly AccountState[], working: Working): PoolSeries {
  const each = (valueOf: (state: AccountState) => number) =>
    states.map((state) => series([state.id, other], valueOf(state)))
  return {
    inFlight: each(({ id }) => sumOf(working.get(id)?.values() ?? [])),
    available: each(({ isAvailable }) => (isAvailable ? 1 : 0)),
  }
}

function sumOf(counts: Iterable<number>): number {
  let sum = 0
  for (const count of counts) sum += count
  return sum
}

/** An account without a model has a pool, too, so that its state shows. */
function poolsOf({ models: { names, patterns = names } }: AccountState): readonly string[] {
  return patterns.length > 0 ? patterns : [other]
}

/** Whether an account gets calls of a pool. One that is busy does. */
function takes({ isAvailable, lostModels, models }: AccountState, pool: string): boolean {
  if (!isAvailable || lostModels.size === 0) return isAvailable
  return !lostModels.has(models.upstreamName(pool) ?? pool)
}
