import { servesCaller } from '../accounts/caller-models.ts'
import type { Candidate } from '../contract/candidate.ts'
import type { Understood } from '../contract/exchange.ts'
import type { Hooks } from '../hooks/compose.ts'
import type { Verdicts } from '../hooks/verdicts.ts'
import { type MaybePromise, isThenable } from '../lib/maybe-promise.ts'
import { Ranking } from './ranking.ts'

/**
 * Finds the accounts that can serve a call: collects the verdicts of all plugins, then removes and
 * ranks. No other place removes a candidate.
 */
export function route(exchange: Understood, hooks: Hooks): MaybePromise<Ranking> {
  const pool = poolOf(exchange)
  const judgement = hooks.verdicts(exchange, pool)
  if (isThenable(judgement)) return judgement.then((known) => rank(exchange, pool, known))
  return rank(exchange, pool, judgement)
}

/** The accounts that could serve the call, before any plugin gives its verdict. */
export function poolOf(exchange: Understood): readonly Candidate[] {
  const { snapshot, model, dialect, operation, call } = exchange
  const pool = snapshot.pool(model.name, dialect, operation.capability ?? '')
  if (model.name !== '' || call.refersTo.length > 0) return pool
  // A resource that begins here continues with models that the caller may use.
  return pool.filter(({ account }) => servesCaller(account, exchange))
}

function rank(exchange: Understood, pool: readonly Candidate[], judgement: Verdicts): Ranking {
  const ranking = new Ranking(exchange, pool, judgement)
  exchange.progress.routing = ranking
  return ranking
}
