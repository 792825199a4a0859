import { eachExclusions } from '../../accounts/exclusions.ts'
import type { Account } from '../../contract/account.ts'
import type { AccountExclusion } from '../../contract/call.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { Work } from '../../lib/turns.ts'
import { bySeverity } from '../accounts/state.ts'
import { bounded } from './values.ts'

/** Exclusions of one account in an answer: the most severe ones. */
export const mostExclusions = 10

/** The exclusions of an account. Callers name models and keys, so that an account may have thousands of them. */
export interface FoundExclusions {
  /** By severity, at most `mostExclusions`. */
  readonly exclusions: readonly AccountExclusion[]
  /** The states of all circuits that are not closed, by dialect. */
  readonly circuits: ReadonlyMap<string, CircuitState>
}

export type CircuitState = 'CLOSED' | 'OPEN' | 'HALF_OPEN'

/** All that excludes accounts now, by their ids. A plugin that throws knows nothing. */
export function* exclusionsOf(
  plugins: readonly GatewayPlugin[],
  accounts: readonly Account[],
): Work<Map<string, FoundExclusions>> {
  const found = new Map<string, FoundExclusions>()
  yield* eachExclusions(plugins, accounts, ({ id }, exclusions) => {
    // Most of ten thousand accounts have none.
    if (exclusions.length > 0) found.set(id, foundIn(exclusions))
  })
  return found
}

function foundIn(all: readonly AccountExclusion[]): FoundExclusions {
  const circuits = new Map<string, CircuitState>()
  for (const { kind, dialect = '', isProbing } of all) {
    // A dialect has a circuit for each model.
    if (kind === 'circuit' && circuits.get(dialect) !== 'OPEN')
      circuits.set(dialect, isProbing ? 'HALF_OPEN' : 'OPEN')
  }
  return { exclusions: bySeverity(all).slice(0, mostExclusions).map(shortened), circuits }
}

/** Only what the contract has: a plugin's exclusion may have more members. */
function shortened(exclusion: AccountExclusion): AccountExclusion {
  const { account, by, kind, reason, model, dialect, keyId, status, untilMs, isProbing } = exclusion
  const { isPartial, failures } = exclusion
  return {
    account: bounded(account),
    by: bounded(by),
    kind,
    reason: bounded(reason),
    ...(model !== undefined && { model: bounded(model) }),
    ...(dialect !== undefined && { dialect: bounded(dialect) }),
    ...(keyId !== undefined && { keyId: bounded(keyId) }),
    ...(status !== undefined && { status }),
    ...(untilMs !== undefined && { untilMs }),
    ...(isProbing !== undefined && { isProbing }),
    ...(isPartial !== undefined && { isPartial }),
    ...(failures && { failures }),
  }
}
