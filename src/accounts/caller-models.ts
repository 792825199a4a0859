import type { Account, ModelMap } from '../contract/account.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { Caller } from '../contract/request.ts'
import { compileOverlap, compilePatterns } from './patterns.ts'
import { sortedNames } from './sorted-names.ts'

/** Whether an account may have a model that the caller may use, as far as patterns allow to tell. */
export type ServesCaller = (account: Pick<Account, 'models'>) => boolean

/** Returns the function for a caller. Its work grows with the accounts and with the aliases, not with both at once. */
export function compileServesCaller(
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
export function servesScope(scope: readonly string[], snapshot: Snapshot): ServesCaller {
  return compileServesCaller({ models: scope, mayUse: compilePatterns(scope) }, snapshot)
}

function patternsOf({ names, patterns = names }: ModelMap): readonly string[] {
  return patterns
}
