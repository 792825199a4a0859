import { poolOfCaller } from '../accounts/caller-pools.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { AccountSlots } from '../accounts/slots.ts'
import type { Hooks } from '../hooks/compose.ts'
import type { Verdicts } from '../hooks/run-hooks.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { Ranking } from './ranking.ts'

/** The parts that decide on candidates: the plugins, and the slots of accounts. */
interface RouteParts {
  readonly hooks: Hooks
  readonly slots: AccountSlots
}

/**
 * Finds the accounts that can serve a call: collects the verdicts of all plugins, then excludes and
 * ranks candidates. No other place excludes candidates.
 */
export function route(exchange: Understood, { hooks, slots }: RouteParts): MaybePromise<Ranking> {
  const pool = poolOf(exchange)
  const collected = hooks.verdicts(exchange, pool)
  if (!isThenable(collected)) return rank(exchange, pool, collected, slots)
  return collected.then((verdicts) => rank(exchange, pool, verdicts, slots))
}

/** The candidates before any verdict. */
export function poolOf(exchange: Understood): readonly Candidate[] {
  const { snapshot, model, dialect, operation, call, caller } = exchange
  const pool = snapshot.pool(model.name, dialect, operation.capability ?? '')
  if (model.name !== '' || call.refersTo.length > 0) return pool
  // A call without a model can create a resource, which then continues with models of the account.
  return poolOfCaller(pool, snapshot, caller)
}

function rank(
  exchange: Understood,
  pool: readonly Candidate[],
  collected: Verdicts,
  slots: AccountSlots,
): Ranking {
  const ranking = new Ranking(exchange, pool, collected, slots)
  exchange.progress.routing = ranking
  exchange.progress.trace?.reached('routed')
  return ranking
}
