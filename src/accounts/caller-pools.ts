import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { Caller } from '../contract/request.ts'
import { type ServesCaller, compileServesCaller, servesScope } from './caller-models.ts'
import { rememberPools } from './pools.ts'

type Pool = readonly Candidate[]

/** Pools by scope. Of many accounts, each call would take long, and there may be many keys. */
const pools = new WeakMap<Snapshot, (scope: string, pool: Pool) => Pool>()

/** The candidates of a pool for any model that may have a model which the caller may use. */
export function poolOfCaller(pool: Pool, snapshot: Snapshot, caller: Caller): Pool {
  // Without a scope, most callers may use all models, and others follow rules that may change.
  if (!caller.models) return narrow(pool, compileServesCaller(caller, snapshot))
  let known = pools.get(snapshot)
  if (!known) {
    known = rememberPools((scope, whole) =>
      narrow(whole, servesScope(JSON.parse(scope) as string[], snapshot)),
    )
    pools.set(snapshot, known)
  }
  return known(JSON.stringify(caller.models), pool)
}

/** The same pool if all can serve the caller: what is known of it holds. */
function narrow(pool: Pool, serves: ServesCaller): Pool {
  const narrowed = pool.filter(({ account }) => serves(account))
  return narrowed.length === pool.length ? pool : narrowed
}
