import type { Account, ModelMap } from '../contract/account.ts'
import type { Candidate, Snapshot } from '../contract/candidate.ts'
import type { Caller } from '../contract/request.ts'
import { compileOverlap, compilePatterns } from './patterns.ts'
import { rememberPools } from './snapshot.ts'
import { computedOnce } from '../lib/computed-once.ts'

type Pool = readonly Candidate[]

/** Pools by scope. Of many accounts, each call would take long, and there may be many keys. */
const poolsOf = computedOnce((snapshot: Snapshot): ((scope: string, pool: Pool) => Pool) =>
  rememberPools((scope, whole) =>
    narrow(whole, servesScope(JSON.parse(scope) as string[], snapshot)),
  ),
)

/** The candidates of a pool for any model that may have a model which the caller may use. */
export function poolOfCaller(pool: Pool, snapshot: Snapshot, caller: Caller): Pool {
  // Without a scope, most callers may use all models, and others follow rules that may change.
  if (!caller.models) return narrow(pool, compileServesCaller(caller, snapshot))
  const narrowed = poolsOf(snapshot)(JSON.stringify(caller.models), pool)
  if (!caller.teamModels) return narrowed
  return poolsOf(snapshot)(JSON.stringify(caller.teamModels), narrowed)
}

/** The same pool object if all can serve the caller, so that data remembered for the pool still applies. */
function narrow(pool: Pool, serves: ServesCaller): Pool {
  const narrowed = pool.filter(({ account }) => serves(account))
  return narrowed.length === pool.length ? pool : narrowed
}

/** Whether an account may have a model that the caller may use, as far as patterns allow to tell. */
type ServesCaller = (account: Pick<Account, 'models'>) => boolean

/** Returns the function for a caller. Its work grows with the accounts and with the aliases, not with both at once. */
function compileServesCaller(
  { mayUse, models: allowed }: Pick<Caller, 'mayUse' | 'models'>,
  { aliases, platformName }: Pick<Snapshot, 'aliases' | 'platformName'>,
): ServesCaller {
  const isShared = allowed
    ? compileOverlap(allowed)
    : (pattern: string) => mayUse(pattern) || pattern.includes('*')
  let isTarget: ((pattern: string) => boolean) | undefined
  return ({ models }) => {
    const patterns = patternsOf(models)
    if (patterns.some(isShared)) return true
    isTarget ??= sortedNames([...aliases.keys()].filter(mayUse).map(platformName))
    return patterns.some(isTarget)
  }
}

/** Returns the function for a caller of this scope. */
function servesScope(scope: readonly string[], snapshot: Snapshot): ServesCaller {
  return compileServesCaller({ models: scope, mayUse: compilePatterns(scope) }, snapshot)
}

function patternsOf({ names, patterns = names }: ModelMap): readonly string[] {
  return patterns
}

/**
 * Compiles sorted names into a test: whether a name equals one of them, or a pattern matches one. The test compares a
 * pattern with the names that begin as it does.
 */
function sortedNames(names: readonly string[]): (pattern: string) => boolean {
  const all = new Set(names)
  const sorted = [...all].sort()
  return (pattern) => {
    const star = pattern.indexOf('*')
    if (star < 0) return all.has(pattern)
    const beginning = pattern.slice(0, star)
    let matches: ((name: string) => boolean) | undefined
    for (let index = firstFrom(sorted, beginning); ; index++) {
      const name = sorted[index]
      if (!name?.startsWith(beginning)) return false
      matches ??= compilePatterns([pattern])
      if (matches(name)) return true
    }
  }
}

/** The index of the first name that does not come before another one. */
function firstFrom(sorted: readonly string[], name: string): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < name) from = middle + 1
    else to = middle
  }
  return from
}
